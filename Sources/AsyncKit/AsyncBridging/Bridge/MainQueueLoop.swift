import AsyncPrimitives
import CLinux
import Dispatch
import Glibc

/// What the main thread of a program without Foundation has to serve: the main queue alone; for the main thread.
///
/// It uses the two entry points through which CoreFoundation serves that queue, so the program may go on as it likes
/// afterwards, with an asynchronous `main` or with `dispatchMain()`.
enum MainQueueLoop {
    /// Sleeps until a block has come, and runs those that are there; at the latest until the time has come.
    static func turn(until deadline: Deadline?) {
        // Asked for each time: it is closed when the main queue leaves the main thread.
        let descriptor = asynckit_main_queue_descriptor()
        guard asynckit_becomes_readable(descriptor, deadline?.remaining.wholeNanoseconds ?? -1) != 0 else {
            return
        }
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        asynckit_run_main_queue()
    }

    /// Whether the main queue runs its blocks when this loop turns, found out by giving it one.
    ///
    /// It is run or refused at once. The descriptor is left as it is: inside a block of the main queue, what it
    /// says is for the loop further out.
    static func isServed() -> Bool {
        let isServed = Lock(false)
        DispatchQueue.main.async { isServed.withLock { $0 = true } }
        asynckit_run_main_queue()
        return isServed.withLock { $0 }
    }
}
