import AsyncPrimitives
import CCurl
import Glibc

/// What libcurl calls, on the client's thread.
extension EasyHandle {
    func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
        ] {
            asynckit_curl_set_pointer(easy, option, context)
        }
        asynckit_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        setReceivers()
        setSenders()
        asynckit_curl_set_socket_callback(easy) { context, _, address in
            guard let address else { return CURL_SOCKET_BAD }
            return EasyHandle.from(context)?.openSocket(to: address) ?? CURL_SOCKET_BAD
        }
    }

    private func setReceivers() {
        asynckit_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            EasyHandle.from(context)?.receiveLine(bytes, size * count) ?? 0
        }
        asynckit_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            EasyHandle.from(context)?.receiveBody(bytes, size * count) ?? 0
        }
    }

    private func setSenders() {
        asynckit_curl_set_data_callback(easy, CURLOPT_READFUNCTION) { room, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: room, count: size * count)
            return EasyHandle.from(context)?.sendBody(from: room) ?? Int(CURL_READFUNC_ABORT)
        }
        asynckit_curl_set_seek_callback(easy) { context, offset, origin in
            let isDone = origin == SEEK_SET && EasyHandle.from(context)?.goBack(to: Int(offset)) ?? false
            return isDone ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }
    }

    /// The object around a handle of libcurl.
    static func owner(of easy: UnsafeMutableRawPointer?) -> EasyHandle? {
        var context: UnsafeMutableRawPointer?
        asynckit_curl_get_pointer(easy, CURLINFO_PRIVATE, &context)
        return from(context)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
        context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension EasyHandle {
    private func receiveLine(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let hadHead = received.isHeadComplete
        let isTaken = received.takeLine(UnsafeRawBufferPointer(start: bytes, count: count))
        pace.move(.receiving)
        if received.isHeadComplete, !hadHead {
            tellProgress()
            headIsComplete()
        }
        return isTaken ? count : 0
    }

    private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard received.allowsBody(ofSize: count), let transfer else { return 0 }
        let piece = UnsafeRawBufferPointer(start: bytes, count: count)
        // libcurl keeps the piece, reads no more from the connection, and comes again after `resume()`.
        guard transfer.body.append(piece) else {
            pace.hold(.receiving)
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        received.takeBody(ofSize: count)
        pace.move(.receiving)
        tellProgress()
        return count
    }
}

extension EasyHandle {
    private func sendBody(from room: UnsafeMutableRawBufferPointer) -> Int {
        switch nextBytes(into: room) {
        case .bytes(let count):
            sent += count
            pace.move(.sending)
            tellProgress()
            return count
        case .end:
            return 0
        case .nothingYet:
            pace.hold(.sending)
            return Int(CURL_READFUNC_PAUSE)
        case .failure(let error):
            uploadFailure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    private func nextBytes(into room: UnsafeMutableRawBufferPointer) -> UploadBuffer.Reading {
        switch transfer?.upload {
        case nil, .some(.none):
            return .end
        case .bytes(let bytes):
            let part = bytes[sent...].prefix(room.count)
            room.copyBytes(from: part)
            return part.isEmpty ? .end : .bytes(part.count)
        case .fed(let channel, _, _):
            return channel.read(into: room)
        }
    }

    /// Called when a connection was dead and the body has to be sent over another one.
    private func goBack(to place: Int) -> Bool {
        if case .fed(let channel, _, _) = transfer?.upload {
            guard place == 0, channel.rewind() else { return false }
        }
        sent = place
        return true
    }

    func tellProgress() {
        guard let transfer, let meter = transfer.hop.request.progress else { return }
        let total = received.isHeadComplete ? size(of: CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) : -1
        meter.show(
            HTTPProgress(
                received: received.bodySize,
                total: total < 0 ? nil : total,
                sent: sent,
                totalToSend: transfer.upload.length
            )
        )
    }
}

extension EasyHandle {
    /// Opens a socket for the address that libcurl is about to connect to, after every lookup and redirect.
    ///
    /// libcurl goes on to the host's next address, if there is one, when it gets none.
    private func openSocket(to address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if !configuration.allowsPrivateAddresses, AddressRange(address) != .global {
            wasAddressForbidden = true
            return CURL_SOCKET_BAD
        }
        // Kept from the program's children, which would hold the connection open.
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }
}
