// The main thread's loop: libdispatch's main queue, and CoreFoundation's run loop where it is there.
#ifndef ASYNCKIT_CLINUX_MAIN_LOOP_H
#define ASYNCKIT_CLINUX_MAIN_LOOP_H

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
