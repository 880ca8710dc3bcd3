/// Why a load failed, and for how long the server says that this holds.
struct LoadFailure: Error {
    let error: ImageStore.Error
    var lifetime: Duration?

    init(_ error: any Error) {
        if let failure = error as? LoadFailure {
            self = failure
        } else {
            self.init(ImageStore.Error(error), lifetime: nil)
        }
    }

    init(_ error: ImageStore.Error, lifetime: Duration?) {
        self.error = error
        self.lifetime = lifetime
    }
}
