// Linux calls and types that Swift's Glibc overlay does not reach.
#ifndef ASYNCKIT_CLINUX_H
#define ASYNCKIT_CLINUX_H

#include <fcntl.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Gives a file its name unless the name is taken, in one step: EEXIST then (renameat2(2), RENAME_NOREPLACE).
extern int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags);

static inline int asynckit_rename_new(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 1);
}

// Waits on a semaphore until an absolute time of CLOCK_MONOTONIC, which no change of the wall clock moves.
// sem_clockwait(3) has been in glibc since 2.30, behind a feature macro that the Swift importer does not set.
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);

static inline int asynckit_sem_wait_until(sem_t *semaphore, long long nanoseconds) {
    struct timespec deadline = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &deadline);
}

// The kernel's id of the calling thread; it equals getpid() on the main thread (gettid(2)).
static inline pid_t asynckit_gettid(void) {
    return (pid_t)syscall(SYS_gettid);
}

// Whether the calling thread is the main one; asked of the kernel once for each thread.
static inline int asynckit_is_main_thread(void) {
    static __thread signed char answer;
    if (answer == 0) answer = asynckit_gettid() == getpid() ? 1 : -1;
    return answer == 1;
}

// Names the calling thread for ps, top and debuggers; the kernel keeps 15 bytes (prctl(2), PR_SET_NAME).
extern int pthread_setname_np(pthread_t thread, const char *name);

static inline int asynckit_set_thread_name(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

// The serial executor that the Swift runtime runs the calling thread's code on. The runtime exports the function,
// and the standard library has no other way to ask before Swift 6.4.
struct asynckit_serial_executor {
    void *identity;
    unsigned long implementation;
};

extern struct asynckit_serial_executor swift_task_getCurrentExecutor(void) __attribute__((swiftcall));

static inline int asynckit_is_on_serial_executor(void) {
    return swift_task_getCurrentExecutor().identity != 0;
}

// ---- Netlink and network namespaces -------------------------------------------------------------------------
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

// Moves the calling thread, and no other, into a new network namespace (unshare(2), CLONE_NEWNET).
static inline int asynckit_unshare_network(void) {
    return (int)syscall(SYS_unshare, 0x40000000);
}

// Moves the calling thread, and no other, into the network namespace behind a descriptor (setns(2)).
static inline int asynckit_enter_network(int descriptor) {
    return (int)syscall(SYS_setns, descriptor, 0x40000000);
}

// Moves the calling thread, and no other, into a mount namespace of its own whose changes nobody else sees.
static inline int asynckit_unshare_mounts(void) {
    if (syscall(SYS_unshare, 0x20000) != 0) return -1;
    return mount("none", "/", 0, MS_REC | MS_PRIVATE, 0);
}

// Shows one file in the place of another, in the mount namespace of the calling thread (mount(2), MS_BIND).
static inline int asynckit_bind_file(const char *source, const char *target) {
    return mount(source, target, 0, MS_BIND, 0);
}

// Makes a filter of system calls binding for all threads of this process, for good (seccomp(2)).
static inline int asynckit_install_filter(unsigned short count, const void *instructions) {
    struct { unsigned short count; const void *instructions; } program = {count, instructions};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(SYS_seccomp, 1, 1, &program);

// ---- The main thread's loop ----------------------------------------------------------------------------------
#include <dlfcn.h>
#include <poll.h>

// ppoll(2) counts in nanoseconds, poll(2) in milliseconds; the Swift importer does not set the macro that declares it.
extern int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *limit, const sigset_t *signals);

// Whether a descriptor becomes readable within the time, by the monotonic clock; a negative time is no limit. 0 after
// a signal too.
static inline int asynckit_becomes_readable(int descriptor, long long nanoseconds) {
    struct pollfd entry = {descriptor, POLLIN, 0};
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return ppoll(&entry, 1, nanoseconds < 0 ? 0 : &limit, 0) > 0;
}

// What CoreFoundation serves the main queue with. libdispatch exports both and declares them for nobody else: an
// eventfd that is readable when blocks have come, and what runs those that have. The latter returns at once inside
// a block of the main queue.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *ignored);

static inline int asynckit_main_queue_descriptor(void) {
    return _dispatch_get_main_queue_handle_4CF();
}

static inline void asynckit_run_main_queue(void) {
    _dispatch_main_queue_callback_4CF(0);
}

// CoreFoundation's run loop, which is a part of libFoundation. Weak, so that nothing is linked for it and all of it
// is null in a program without Foundation; under other names, for files that see CoreFoundation's own headers.
#define ASYNCKIT_WEAK(name) __asm__(#name) __attribute__((weak))

extern const void *const asynckit_cf_default_mode ASYNCKIT_WEAK(kCFRunLoopDefaultMode);
extern void *asynckit_cf_main(void) ASYNCKIT_WEAK(CFRunLoopGetMain);
extern int asynckit_cf_run(const void *mode, double seconds, unsigned char ends_after_source)
    ASYNCKIT_WEAK(CFRunLoopRunInMode);
extern void *asynckit_cf_make_timer(
    const void *allocator, double date, double interval, unsigned long flags, long order,
    void (*fire)(void *timer, void *info), void *context
) ASYNCKIT_WEAK(CFRunLoopTimerCreate);
extern void asynckit_cf_add_timer(void *loop, void *timer, const void *mode) ASYNCKIT_WEAK(CFRunLoopAddTimer);
extern void asynckit_cf_invalidate(void *timer) ASYNCKIT_WEAK(CFRunLoopTimerInvalidate);
extern void asynckit_cf_release(const void *object) ASYNCKIT_WEAK(CFRelease);

struct asynckit_run_loop {
    const void *const *default_mode;
    __typeof__(&asynckit_cf_main) main;
    __typeof__(&asynckit_cf_run) run;
    __typeof__(&asynckit_cf_make_timer) make_timer;
    __typeof__(&asynckit_cf_add_timer) add_timer;
    __typeof__(&asynckit_cf_invalidate) invalidate;
    __typeof__(&asynckit_cf_release) release;
};

// Linked statically, a name is known to the linker alone; brought by a library, to the loader alone (dlsym(3)).
#define ASYNCKIT_FIND(linked, name) (&linked ? &linked : (__typeof__(&linked))dlsym(0, #name))

// Whether the program has all of it.
static inline int asynckit_find_run_loop(struct asynckit_run_loop *found) {
    found->default_mode = ASYNCKIT_FIND(asynckit_cf_default_mode, kCFRunLoopDefaultMode);
    found->main = ASYNCKIT_FIND(asynckit_cf_main, CFRunLoopGetMain);
    found->run = ASYNCKIT_FIND(asynckit_cf_run, CFRunLoopRunInMode);
    found->make_timer = ASYNCKIT_FIND(asynckit_cf_make_timer, CFRunLoopTimerCreate);
    found->add_timer = ASYNCKIT_FIND(asynckit_cf_add_timer, CFRunLoopAddTimer);
    found->invalidate = ASYNCKIT_FIND(asynckit_cf_invalidate, CFRunLoopTimerInvalidate);
    found->release = ASYNCKIT_FIND(asynckit_cf_release, CFRelease);
    return found->default_mode && found->main && found->run && found->make_timer && found->add_timer
        && found->invalidate && found->release;
}

#endif
