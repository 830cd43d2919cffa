/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for segments, outside the Java heap: the native methods of dev.remus.fabric.verbs.NativeMemory. */
#define _GNU_SOURCE
#include "disni.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14; older headers lack it */
#endif

/* The size of the huge pages of MAP_HUGETLB, or 0. */
static size_t huge_page_size(void) {
    char line[128];
    unsigned long kilobytes = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    if (file == NULL) {
        return 0;
    }
    while (fgets(line, sizeof line, file) != NULL && sscanf(line, "Hugepagesize: %lu kB", &kilobytes) != 1) {
    }
    fclose(file);
    return kilobytes * 1024;
}

static void *map(size_t bytes, int more_flags) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | more_flags, -1, 0);
}

/* Populates all pages; returns false with errno on failure. */
static bool populate(char *memory, size_t bytes) {
    long page = sysconf(_SC_PAGESIZE);
    if (madvise(memory, bytes, MADV_POPULATE_WRITE) == 0) {
        return true;
    }
    if (errno != EINVAL) {
        return false;
    }
    for (size_t offset = 0; offset < bytes; offset += (size_t)page) { /* an older kernel */
        *(volatile char *)(memory + offset) = 0;
    }
    return true;
}

/* Allocates memory; returns NULL with errno on failure. */
static void *allocate(size_t bytes) {
    size_t huge = huge_page_size();
    void *memory = huge > 0 && bytes % huge == 0 ? map(bytes, MAP_HUGETLB) : MAP_FAILED;
    int error;
    if (memory == MAP_FAILED) {
        memory = map(bytes, 0);
        if (memory == MAP_FAILED) {
            return NULL;
        }
        madvise(memory, bytes, MADV_HUGEPAGE); /* only advice: failure is no error */
    }
    /*
     * A forked child would share the pages, and WRITEs of the device would reach only one of the two
     * processes.
     */
    if (madvise(memory, bytes, MADV_DONTFORK) == 0 && populate(memory, bytes)) {
        return memory;
    }
    error = errno;
    munmap(memory, bytes);
    errno = error;
    return NULL;
}

static bool checked_size(JNIEnv *env, const char *call, jlong bytes) {
    return checked_range(env, call, "the number of bytes", bytes, 1, INT64_MAX >> 1);
}

JNIEXPORT jlong JNICALL Java_dev_remus_fabric_verbs_NativeMemory_allocate(JNIEnv *env,
                                                                          __attribute__((unused)) jclass self,
                                                                          jlong bytes) {
    void *memory;
    if (!checked_size(env, "mmap", bytes)) {
        return 0;
    }
    memory = allocate((size_t)bytes);
    if (memory == NULL) {
        fail_with(env, errno, "mmap", KINDS, NULL, "%lld bytes", (long long)bytes);
    }
    return (jlong)(uintptr_t)memory;
}

JNIEXPORT void JNICALL Java_dev_remus_fabric_verbs_NativeMemory_free(JNIEnv *env, __attribute__((unused)) jclass self,
                                                                     jlong address, jlong bytes) {
    void *memory = checked_address(env, "munmap", "memory", address, (uintptr_t)sysconf(_SC_PAGESIZE));
    if (memory != NULL && checked_size(env, "munmap", bytes) && munmap(memory, (size_t)bytes) != 0) {
        fail_with(env, errno, "munmap", KINDS, NULL, "%lld bytes at %p", (long long)bytes, memory);
    }
}
