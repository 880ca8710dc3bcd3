// Networks, mounts and limits of a thread's own, for tests against the real kernel.
#ifndef ASYNCKIT_CLINUX_NAMESPACES_H
#define ASYNCKIT_CLINUX_NAMESPACES_H

#include <linux/seccomp.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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

// Lays an empty file system in memory over a directory, in the mount namespace of the calling thread; tmpfs(5).
static inline int asynckit_mount_memory(const char *target, const char *options) {
    return mount("tmpfs", target, "tmpfs", 0, options);
}

// Makes a filter of system calls binding for all threads of this process, for good (seccomp(2)).
static inline int asynckit_install_filter(unsigned short count, const void *instructions) {
    struct { unsigned short count; const void *instructions; } program = {count, instructions};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(SYS_seccomp, 1, 1, &program);
}

#endif
