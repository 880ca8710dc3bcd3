import AsyncPrimitives

@testable import AsyncImages

/// A store whose transport and clock the test drives.
struct StoreFixture {
    let transport = StubTransport()
    let clock = ManualClock()
    let codec: CountingCodec
    let store: ImageStore

    init(
        codec: CountingCodec = CountingCodec(),
        _ configure: (inout ImageStore.Configuration) -> Void = { _ in }
    ) {
        var configuration = ImageStore.Configuration()
        configuration.codecs = [codec, JPEGCodec()]
        configuration.clock = clock
        configure(&configuration)
        self.codec = codec
        store = ImageStore(transport: transport, configuration: configuration)
    }

    /// Asks in a task of its own, which has joined the download when this returns.
    func ask(_ url: String, fallback: Image? = nil) async -> Task<Result<Image, ImageStore.Error>, Never> {
        await store.ask(url, fallback)
    }

    /// Fails a download with a status, from the request to the last waiter.
    func fail(_ url: String, status: Int, fallback: Image? = nil) async -> Result<Image, ImageStore.Error> {
        let task = await ask(url, fallback: fallback)
        await transport.next().answer(status: status)
        return await task.value
    }

    func load(_ url: String, _ pixel: Image.Pixel = Pictures.red) async throws -> Image {
        let task = await ask(url)
        await transport.next().answer(try Pictures.png(pixel))
        return try await task.value.get()
    }
}

extension Result where Success == Image, Failure == ImageStore.Error {
    /// The error, when there is no picture.
    var error: ImageStore.Error? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// The picture, when there is one.
    var image: Image? { try? get() }
}
