/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffered queue of dev.remus.structures in C11, for the suite "ring": one thread enqueues an integer and dequeues
 * it, again and again. For each number of repetitions that it reads from its input, it prints the thread's processor
 * time in nanoseconds. As in Java, an enqueue returns when other threads see the item: the state is stored with
 * sequential consistency.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define BLOCKS 16384

static _Alignas(64) _Atomic int64_t claimed;
static _Alignas(64) _Atomic int64_t released;
static _Alignas(64) _Atomic int64_t states[BLOCKS];
static _Alignas(64) int64_t items[BLOCKS];
static int64_t released_as_seen;
static int64_t next;

__attribute__((noinline)) static int64_t enqueue(int64_t item) {
    int64_t position = atomic_fetch_add(&claimed, 1);
    while (position - released_as_seen >= BLOCKS) {
        released_as_seen = atomic_load(&released);
    }
    items[position % BLOCKS] = item;
    atomic_store(&states[position % BLOCKS], position + 1);
    return position;
}

__attribute__((noinline)) static int64_t dequeue(void) {
    int64_t block = next % BLOCKS;
    while (atomic_load(&states[block]) != next + 1) {
    }
    int64_t item = items[block];
    next++;
    atomic_fetch_add(&released, 1);
    return item;
}

static int64_t processor_nanos(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(void) {
    long long repetitions;
    while (scanf("%lld", &repetitions) == 1) {
        int64_t start = processor_nanos();
        int64_t sum = 0;
        for (long long i = 0; i < repetitions; i++) {
            enqueue(i);
            sum += dequeue();
        }
        int64_t nanos = processor_nanos() - start;
        if (sum != repetitions * (repetitions - 1) / 2) {
            return 1;
        }
        printf("%lld\n", (long long) nanos);
        fflush(stdout);
    }
    return 0;
}
