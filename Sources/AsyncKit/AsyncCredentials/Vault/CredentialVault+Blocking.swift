public import AsyncBridging

extension CredentialVault {
    /// The same calls for code that is not async: each blocks its thread until it has the result.
    public nonisolated var blocking: Blocking { Blocking(vault: self) }

    /// The calls of a vault for code that is not async.
    ///
    /// Every call blocks the calling thread, as long as `SyncBridge` lets a call wait, and throws what a wait
    /// of `SyncBridge` throws; the errors of the vault stand in the case `operation`. On the main thread the
    /// main run loop is served meanwhile.
    ///
    /// ```swift
    /// let vault = try CredentialVault.Blocking.open(
    ///     at: "/var/lib/robot/vault", keys: KeyFile("/etc/robot/vault.key"))
    /// let password = try vault.blocking.password(service: "api.example.org", account: "deploy")
    /// ```
    public struct Blocking: Sendable {
        private let vault: CredentialVault

        init(vault: CredentialVault) {
            self.vault = vault
        }
    }
}

extension CredentialVault.Blocking {
    /// What a blocking call throws.
    public typealias Error = SyncBridge.Error<CredentialVault.Error>

    /// Opens the vault at a path, or makes it there.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - keys: Where the key comes from.
    ///   - timeout: How long calls wait for other users of the file.
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Returns: The vault, unlocked.
    /// - Throws: As the async call, in the case `operation`, and what a blocked wait throws.
    @available(*, noasync, message: "await the call of the vault itself")
    public static func open(
        at path: String,
        keys: any KeySource...,
        timeout: Duration = .seconds(5),
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(Error) -> CredentialVault {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async throws(CredentialVault.Error) in
            try await CredentialVault.open(at: path, keys: keys, timeout: timeout)
        }
    }

    /// Unlocks a vault that was locked.
    ///
    /// - Parameters:
    ///   - keys: Where the key comes from.
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Throws: As the async call, in the case `operation`, and what a blocked wait throws.
    @available(*, noasync, message: "await the call of the vault itself")
    public func unlock(
        keys: any KeySource...,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(Error) {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async throws(CredentialVault.Error) in
            try await vault.unlock(keys: keys)
        }
    }

    /// Adds an item, or replaces the secret of the item that is there.
    ///
    /// - Parameters:
    ///   - secret: Any bytes, none to 1 MiB.
    ///   - service: What the secret is for.
    ///   - account: Whose it is.
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Throws: As the async call, in the case `operation`, and what a blocked wait throws.
    @available(*, noasync, message: "await the call of the vault itself")
    public func put(
        _ secret: SecretBytes,
        service: String,
        account: String,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(Error) {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async throws(CredentialVault.Error) in
            try await vault.put(secret, service: service, account: account)
        }
    }

    /// Adds an item, or replaces the secret of the item that is there, with the UTF-8 of a text.
    ///
    /// - Parameters:
    ///   - password: Any text up to 1 MiB of UTF-8.
    ///   - service: What the secret is for.
    ///   - account: Whose it is.
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Throws: As the async call, in the case `operation`, and what a blocked wait throws.
    @available(*, noasync, message: "await the call of the vault itself")
    public func put(
        _ password: String,
        service: String,
        account: String,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(Error) {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async throws(CredentialVault.Error) in
            try await vault.put(password, service: service, account: account)
        }
    }

    /// Reads the secret of an item.
    ///
    /// - Parameters:
    ///   - service: What the secret is for.
    ///   - account: Whose it is.
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Returns: The secret, or `nil` when there is no such item.
    /// - Throws: As the async call, in the case `operation`, and what a blocked wait throws.
    @available(*, noasync, message: "await the call of the vault itself")
    public func secret(
        service: String,
        account: String,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(Error) -> SecretBytes? {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async throws(CredentialVault.Error) in
            try await vault.secret(service: service, account: account)
        }
    }

    /// Copies the secret of an item into a text, which is not wiped.
    ///
    /// - Parameters:
    ///   - service: What the secret is for.
    ///   - account: Whose it is.
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Returns: The text, or `nil` when there is no such item.
    /// - Throws: As the async call, in the case `operation`, and what a blocked wait throws.
    @available(*, noasync, message: "await the call of the vault itself")
    public func password(
        service: String,
        account: String,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(Error) -> String? {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async throws(CredentialVault.Error) in
            try await vault.password(service: service, account: account)
        }
    }

    /// Removes an item.
    ///
    /// - Parameters:
    ///   - service: What the secret is for.
    ///   - account: Whose it is.
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Returns: Whether there was such an item.
    /// - Throws: As the async call, in the case `operation`, and what a blocked wait throws.
    @discardableResult
    @available(*, noasync, message: "await the call of the vault itself")
    public func delete(
        service: String,
        account: String,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(Error) -> Bool {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async throws(CredentialVault.Error) in
            try await vault.delete(service: service, account: account)
        }
    }

    /// Lists what is known about items, without reading a secret.
    ///
    /// - Parameters:
    ///   - service: Only items of this service; all items when it is `nil`.
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Returns: The items, by service and then by account.
    /// - Throws: As the async call, in the case `operation`, and what a blocked wait throws.
    @available(*, noasync, message: "await the call of the vault itself")
    public func items(
        service: String? = nil,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(Error) -> [CredentialVault.Item] {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async throws(CredentialVault.Error) in
            try await vault.items(service: service)
        }
    }

    /// Forgets the keys, so that calls throw `locked` from here on.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Throws: What a blocked wait throws; the operation itself throws `Never`.
    @available(*, noasync, message: "await the call of the vault itself")
    public func lock(
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<Never>) {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async in
            await vault.lock()
        }
    }

    /// Forgets the keys and closes the file, so that calls throw `closed` from here on.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the caller runs on; leave it out.
    ///   - fileID: The file that errors name; leave it out.
    ///   - line: The line that errors name; leave it out.
    /// - Throws: What a blocked wait throws; the operation itself throws `Never`.
    @available(*, noasync, message: "await the call of the vault itself")
    public func close(
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<Never>) {
        try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
            () async in
            await vault.close()
        }
    }
}
