import AsyncPrimitives
import Glibc

/// Passwords, tokens and keys in one encrypted file.
///
/// ```swift
/// let vault = try await CredentialVault.open(
///     at: "/var/lib/robot/vault", keys: KeyFile("/etc/robot/vault.key"))
/// try await vault.put("s3cret", service: "api.example.org", account: "deploy")
/// let password = try await vault.password(service: "api.example.org", account: "deploy")
/// ```
///
/// An item is found by its service and account together. Spellings of a name that Unicode calls canonically
/// equivalent are one item, and the spelling that was written last is given back.
///
/// **Protection.** Every item is sealed with XChaCha20-Poly1305 under keys that only a ``KeySource`` opens;
/// names and dates are sealed as well, and items are looked up by a keyed hash. Every field is bound to its
/// row, and all rows to the header: an item that was changed or exchanged is noticed when it is read, one
/// that was removed, repeated or played back from an older copy at the next opening or unlocking. Somebody
/// with a copy of the file sees how many items there are, how large they are up to padding, the numbers of
/// their revisions, and what a passphrase costs. Not covered: programs of the same user while the vault is
/// unlocked, root, a weak passphrase, and the exchange of the whole file for an older one.
///
/// **The file** is an SQLite database with a rollback journal beside it, synced at every change: what a call
/// has returned from survives a power failure, and a crash leaves the old state or the new one. It is made
/// with mode 0600 in directories of mode 0700, and refused when anybody else could read it, change it or swap
/// it. A file that is damaged is reported and left as it is. Never open, copy or replace it while a vault has
/// it open: SQLite's locks do not survive that.
///
/// **Sharing.** Any number of vaults, in any number of processes, may have the file open.
///
/// **Calls** run one after the other on a thread of the vault, never on Swift's cooperative pool. A call
/// whose task is cancelled ends at once with `cancelled`; before its commit began nothing is written,
/// afterwards the change may take effect, as a whole. A call waits for other users of the file and for
/// earlier calls as long as the `timeout` given on opening and then throws `busy`. A disk that does not
/// answer is not covered by that time.
///
/// Limits: 1 MiB for a secret, 4 KiB of UTF-8 for a service and for an account. Listing reads every item,
/// which suits some ten thousand of them.
///
/// Not yet: groups, labels and other attributes, history, expiry, changing keys of a vault that exists,
/// backups, reports of changes by other processes, and reading what is left of a damaged file.
public actor CredentialVault {
    private enum Stage {
        case unopened
        case locked(Store)
        case unlocked(Store, KeyRing)
        case closed
    }

    private let executor = ThreadExecutor(name: "vault")
    private let path: String
    private let timeout: Duration
    private var stage = Stage.unopened

    private init(path: String, timeout: Duration) {
        self.path = path
        self.timeout = timeout
    }

    /// The thread of this vault.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the vault at a path, or makes it there when the path names nothing.
    ///
    /// A new vault can be opened by each of the keys that were given; of several programs that make it at
    /// once, one does and the others open it. For a vault that exists the sources are asked in order until
    /// one has a key that opens it. Every row is accounted for, which costs some microseconds for each; what
    /// stands in it is checked when it is read.
    ///
    /// - Parameters:
    ///   - path: The file. Directories that are missing are made.
    ///   - keys: Where the key comes from; one source at least, at most 16.
    ///   - timeout: How long this and later calls wait for other users of the file, by a clock that nobody
    ///     sets.
    /// - Returns: The vault, unlocked.
    /// - Throws: `wrongKey` or `noKey`, `tampered`, `notAVault` or `newerFormat`, `refused` when others could
    ///   touch the file, `invalidPath`, `busy`, `diskFull`, `outOfMemory`, `system`, `database`, `cancelled`,
    ///   and what a key source throws. In all these cases a file that was there is as it was.
    public static func open(
        at path: String,
        keys: any KeySource...,
        timeout: Duration = .seconds(5)
    ) async throws(Error) -> CredentialVault {
        try await open(at: path, keys: keys, timeout: timeout)
    }

    /// Opens the vault at a path, or makes it there; the form for a list of key sources.
    ///
    /// - Parameters:
    ///   - path: As in the other form.
    ///   - keys: As in the other form.
    ///   - timeout: As in the other form.
    /// - Returns: The vault, unlocked.
    /// - Throws: As in the other form.
    public static func open(
        at path: String,
        keys: [any KeySource],
        timeout: Duration = .seconds(5)
    ) async throws(Error) -> CredentialVault {
        let vault = CredentialVault(path: path, timeout: timeout)
        try await vault.start(keys)
        return vault
    }

    /// Whether the vault is locked or closed, so that no item can be read or written.
    public var isLocked: Bool {
        if case .unlocked = stage { false } else { true }
    }

    /// Forgets the keys, so that calls throw `locked` from here on.
    ///
    /// Calls that came first are finished. The keys are wiped in this process; other vaults on the same file
    /// keep theirs. Does nothing when the vault is locked or closed. It is not cancelled with its task.
    public func lock() {
        if case .unlocked(let store, _) = stage { stage = .locked(store) }
    }

    /// Forgets the keys and closes the file, so that calls throw `closed` from here on.
    ///
    /// Calls that came first are finished. A vault that nobody holds any more is closed as well.
    public func close() {
        stage = .closed
    }
}

// The parts of opening and of every call that run on the vault's thread.
extension CredentialVault {
    nonisolated var waitingTime: Duration { timeout }

    /// Opens the file; false when there is none.
    func attach() throws(Error) -> Bool {
        guard case .unopened = stage else { return true }
        let file: PrivateFile
        do {
            file = try PrivateFile(path, makingDirectories: false)
        } catch .system(errno: ENOENT) {
            return false
        }
        guard let store = try Store(file) else { return false }
        stage = .locked(store)
        return true
    }

    /// Puts a new file in place, unless somebody else was first.
    func create(_ slots: [Slot], _ keys: KeyRing) throws(Error) {
        let file = try PrivateFile(path, makingDirectories: true)
        let bytes = try Store.newFile(slots: slots, keys: keys)
        _ = try bytes.withRawBytes { bytes throws(Error) in try file.create(with: bytes) }
    }

    /// Takes the keys, once they fit every row of the file.
    func admit(_ keys: KeyRing) throws(Error) {
        let store = try openStore()
        try store.verify(keys)
        stage = .unlocked(store, keys)
    }

    /// The file, locked or not.
    func openStore() throws(Error) -> Store {
        switch stage {
        case .locked(let store), .unlocked(let store, _): return store
        case .unopened, .closed: throw .closed
        }
    }

    /// The file and the keys to it.
    func unlocked() throws(Error) -> (store: Store, keys: KeyRing) {
        switch stage {
        case .unlocked(let store, let keys): return (store, keys)
        case .locked: throw .locked
        case .unopened, .closed: throw .closed
        }
    }
}
