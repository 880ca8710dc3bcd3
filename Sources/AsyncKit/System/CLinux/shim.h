// Linux calls and types that Swift's Glibc overlay does not reach.
#ifndef ASYNCKIT_CLINUX_H
#define ASYNCKIT_CLINUX_H

#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/nl80211.h>
#include <linux/rtnetlink.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
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

#endif
