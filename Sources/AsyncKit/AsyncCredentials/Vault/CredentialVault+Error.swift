extension CredentialVault {
    /// Why a call failed.
    ///
    /// No case and no description holds a secret, a passphrase, a service or an account. An item that is not
    /// there is no error: such calls return `nil` or `false`.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The vault is locked.
        case locked
        /// The vault was closed.
        case closed
        /// No key that was given opens the vault, or its key slot is damaged; the two cannot be told apart.
        case wrongKey
        /// No key source was given, or none had a key.
        case noKey
        /// A raw key or a passphrase has a length that is not allowed.
        case keyLength
        /// The cost of a passphrase is below the floor or above the cap.
        case passphraseCost
        /// Something in the file was changed without the key, or is damaged; the file was left as it is.
        case tampered
        /// The file is not a vault; it was left as it is.
        case notAVault
        /// The file was made by a newer version of the library; it was left as it is.
        case newerFormat(version: Int)
        /// Other users of the vault left no gap before the time was up; nothing was written.
        case busy
        /// A file or directory could be read or changed by somebody else.
        case refused(Refusal)
        /// The file at the path is not the one that was opened any more; nothing was written to either.
        case replaced
        /// The secret is larger than 1 MiB.
        case secretTooLarge
        /// The service or the account is longer than 4 KiB of UTF-8.
        case identifierTooLarge
        /// The service is empty.
        case emptyService
        /// The secret is not UTF-8, so it cannot be given as a text.
        case notText
        /// The path is empty, names a directory or holds a NUL.
        case invalidPath
        /// The disk is full; nothing was written.
        case diskFull
        /// There was no memory left for keys or secrets.
        case outOfMemory
        /// A system call failed with this `errno`.
        case system(errno: Int32)
        /// SQLite failed with this extended result code.
        case database(code: Int32)
        /// The task was cancelled.
        case cancelled
    }

    /// What made a file or a directory unfit for keys and secrets.
    public enum Refusal: Hashable, Sendable {
        /// Group or others may read, write or run the file.
        case looseFile
        /// Group or others may write to the directory.
        case looseDirectory
        /// The file or directory belongs to another user.
        case foreignOwner
        /// The path ends in a symbolic link.
        case symbolicLink
        /// The file has more than one name.
        case hardLinks
        /// The path names something that is not a regular file.
        case notAFile
    }
}

extension CredentialVault.Error: CustomStringConvertible {
    /// One sentence that says what to do.
    public var description: String {
        switch self {
        case .locked: "The vault is locked: unlock it with one of its keys."
        case .closed: "The vault was closed: open it again."
        case .wrongKey: "No given key opens this vault: check the passphrase or the key file."
        case .noKey: "There is no key: give a key source that has one, such as the key file of this vault."
        case .keyLength:
            "A raw key has exactly 32 bytes and a passphrase 1 to 1,024 bytes: give one that fits."
        case .passphraseCost: "A passphrase costs 19 MiB to 1 GiB and 2 to 10 passes: stay in these limits."
        case .tampered: "The vault was changed without its key or is damaged: restore it from a backup."
        case .notAVault: "The file is not a vault: give another path."
        case .newerFormat(let version): "The vault has format \(version): open it with a newer version."
        case .busy: "Other users of the vault left no gap in time: try again or allow more time."
        case .refused(let refusal): refusal.description
        case .replaced: "The file of the vault was replaced or removed: close the vault and open it again."
        case .secretTooLarge: "A secret has at most 1,048,576 bytes: store a larger one outside the vault."
        case .identifierTooLarge: "A service or account has at most 4,096 bytes: shorten it."
        case .emptyService: "The service is empty: name one; only the account may be empty."
        case .notText: "The secret is not UTF-8: read it as SecretBytes."
        case .invalidPath: "The path names no file: give the path of a file, without NUL."
        case .diskFull: "The disk is full: free some space and try again."
        case .outOfMemory: "There is no memory for secrets left: release some values or allow more memory."
        case .system(let errno): "A system call failed with errno \(errno): see errno(3) for its meaning."
        case .database(let code):
            "SQLite failed with result code \(code): check the disk and the permissions."
        case .cancelled: "The call was cancelled: repeat it when its result is wanted after all."
        }
    }
}

extension CredentialVault.Refusal: CustomStringConvertible {
    /// One sentence that says what to do.
    public var description: String {
        switch self {
        case .looseFile: "Others may use the file: take their permissions away with chmod 600."
        case .looseDirectory: "Others may write to the directory: take that away with chmod go-w."
        case .foreignOwner: "The file or its directory belongs to another user: use one of your own."
        case .symbolicLink: "The path ends in a symbolic link: give the path that it leads to."
        case .hardLinks: "The file has a second name: remove the other hard link."
        case .notAFile: "The path names no regular file: give another one."
        }
    }
}

/// The error of everything in this module.
typealias VaultError = CredentialVault.Error
