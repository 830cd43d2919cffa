/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A peer of "./remus bench lock-free": the lock-free queue of A. V. Burachenko, A. A. Paznikov and D. P. Derzhavin
 * (doi 10.17223/19988605/62/2) as published, over the one-sided operations of MPI.
 *
 * Usage: mpi-queue OPERATIONS MILLIS. Each process does that many operations, half of them enqueues, in races that are
 * repeated until they have taken so long together. Then the first process prints "OPERATIONS NANOSECONDS". The status is
 * 1 if the values that were enqueued are not those that were dequeued and those that are left.
 *
 * As in the other queues of the benchmark, the pool of a process has an element for each operation, so none is reused,
 * and the cleaner has nothing to do.
 *
 *   words of a process    0      1      2       3 .. 7    8 ..
 *                         head   tail   start   scratch   elements: stamp, value, state, next, self
 *
 * A reference is 1 + process * capacity + number of the element; 0 is none. Start is that of process 0.
 *
 * The calls are those of MPI: A Message-Passing Interface Standard 3.1, chapter 11 (one-sided communications).
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEAD, TAIL, START, SCRATCH, ELEMENT_WORDS = 5, POOL = SCRATCH + ELEMENT_WORDS };
enum { STAMP, VALUE, STATE, NEXT, SELF };
enum { FREE, ACTIVE, DEQUEUED };
enum { NONE = 0, FIRST_PROCESS = 0 };

static int rank, size;
static int64_t capacity, used;
static int64_t *own, *scratch;
static MPI_Win window;
static uint64_t seed;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Xorshift (G. Marsaglia, Journal of Statistical Software 2003). */
static uint64_t next_random(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static int owner(int64_t reference) { return (int) ((reference - 1) / capacity); }

static MPI_Aint place(int64_t reference) { return POOL + (reference - 1) % capacity * ELEMENT_WORDS; }

static int64_t atomic_get(int process, MPI_Aint at) {
    int64_t unused = 0, result;
    MPI_Fetch_and_op(&unused, &result, MPI_INT64_T, process, at, MPI_NO_OP, window);
    MPI_Win_flush(process, window);
    return result;
}

static int cas(int process, MPI_Aint at, int64_t expected, int64_t desired) {
    int64_t result;
    MPI_Compare_and_swap(&desired, &expected, &result, MPI_INT64_T, process, at, window);
    MPI_Win_flush(process, window);
    return result == expected;
}

/* Copies an element to the scratch element. */
static void read_element(int64_t reference) {
    int64_t copy[ELEMENT_WORDS];
    MPI_Get(copy, ELEMENT_WORDS, MPI_INT64_T, owner(reference), place(reference), ELEMENT_WORDS, MPI_INT64_T, window);
    MPI_Win_flush(owner(reference), window);
    memcpy(scratch, copy, sizeof copy);
}

/* Lets a process know an element; returns 0 if it knows one that is newer. */
static int update(int process, int which, const int64_t *element) {
    for (;;) {
        int64_t known = atomic_get(process, which);
        if (known != NONE) {
            read_element(known);
            if (element[STAMP] < scratch[STAMP]) {
                return 0;
            }
        }
        if (cas(process, which, known, element[SELF])) {
            return 1;
        }
    }
}

/* Tells all processes about a tail, a head or both: this one first, the others in random order. */
static void tell_all(int tail, int head, const int64_t *element) {
    int order[size];
    for (int i = 0; i < size; i++) {
        order[i] = i;
    }
    order[0] = rank;
    order[rank] = 0;
    for (int i = size - 1; i > 1; i--) {
        int j = 1 + (int) (next_random() % (uint64_t) i);
        int swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
    for (int i = 0; i < size && (tail || head); i++) {
        tail = tail && update(order[i], TAIL, element);
        head = head && update(order[i], HEAD, element);
    }
}

/* One attempt to append an element behind that of the scratch element. */
static int append(int64_t *element) {
    element[STAMP] = now();
    return cas(owner(scratch[SELF]), place(scratch[SELF]) + NEXT, NONE, element[SELF]);
}

static void enqueue(int64_t value) {
    int64_t reference = 1 + rank * capacity + used;
    int64_t *element = own + place(reference);
    used++;
    element[VALUE] = value;
    element[STATE] = ACTIVE;
    element[NEXT] = NONE;
    element[SELF] = reference;
    MPI_Win_sync(window);
    for (;;) {
        int64_t tail = atomic_get(rank, TAIL);
        if (tail == NONE) {
            int64_t start = atomic_get(FIRST_PROCESS, START);
            if (start == NONE) {
                element[STAMP] = now();
                if (cas(FIRST_PROCESS, START, NONE, reference)) {
                    tell_all(1, 1, element);
                    return;
                }
                start = atomic_get(FIRST_PROCESS, START);
            }
            cas(rank, TAIL, NONE, start);
            tail = atomic_get(rank, TAIL);
        }
        read_element(tail);
        int lost = 0;
        while (!lost && (scratch[STATE] == ACTIVE || scratch[STATE] == DEQUEUED)) {
            int active = scratch[STATE] == ACTIVE;
            if (scratch[NEXT] == NONE) {
                if (append(element)) {
                    tell_all(1, !active, element);
                    return;
                }
                lost = !active;
                read_element(scratch[SELF]);
            }
            if (!lost) {
                read_element(scratch[NEXT]);
            }
        }
    }
}

/* Returns whether there was a value. */
static int dequeue(int64_t *value) {
    for (;;) {
        int64_t head = atomic_get(rank, HEAD);
        if (head == NONE) {
            int64_t start = atomic_get(FIRST_PROCESS, START);
            if (start == NONE) {
                return 0;
            }
            cas(rank, HEAD, NONE, start);
            head = atomic_get(rank, HEAD);
        }
        read_element(head);
        while (scratch[STATE] == ACTIVE || scratch[STATE] == DEQUEUED) {
            if (scratch[STATE] == ACTIVE) {
                if (cas(owner(scratch[SELF]), place(scratch[SELF]) + STATE, ACTIVE, DEQUEUED)) {
                    *value = scratch[VALUE];
                    read_element(scratch[SELF]);
                    if (scratch[NEXT] != NONE) {
                        int64_t element[ELEMENT_WORDS];
                        read_element(scratch[NEXT]);
                        memcpy(element, scratch, sizeof element);
                        tell_all(0, 1, element);
                    }
                    return 1;
                }
                read_element(scratch[SELF]);
            } else if (scratch[NEXT] == NONE) {
                return 0;
            } else {
                read_element(scratch[NEXT]);
            }
        }
    }
}

/* Runs one race, and returns its nanoseconds on the first process. */
static int64_t race(long operations) {
    int64_t sum = 0, value, left = 0;
    memset(own, 0, (size_t) (POOL + capacity * ELEMENT_WORDS) * sizeof *own);
    used = 0;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t start = now();
    for (long i = 0; i < operations; i++) {
        if (next_random() >> 63) {
            int64_t next = rank * capacity + i + 1;
            enqueue(next);
            sum += next;
        } else if (dequeue(&value)) {
            sum -= value;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t nanos = now() - start;
    MPI_Reduce(rank == FIRST_PROCESS ? MPI_IN_PLACE : &sum, &sum, 1, MPI_INT64_T, MPI_SUM, FIRST_PROCESS, MPI_COMM_WORLD);
    if (rank == FIRST_PROCESS) {
        while (dequeue(&value)) {
            left += value;
        }
        if (left != sum) {
            fprintf(stderr, "mpi-queue: the values that are left add up to %lld instead of %lld\n", (long long) left,
                    (long long) sum);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return nanos;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long operations = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
    int64_t limit = argc == 3 ? strtol(argv[2], NULL, 10) * INT64_C(1000000) : 0;
    if (operations < 1 || limit < 1) {
        fprintf(stderr, "usage: mpi-queue OPERATIONS MILLIS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    capacity = operations + 1;
    seed = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t) (rank + 1);
    MPI_Win_allocate((POOL + capacity * ELEMENT_WORDS) * (MPI_Aint) sizeof *own, sizeof *own, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &own, &window);
    scratch = own + SCRATCH;
    MPI_Win_lock_all(0, window);
    int64_t done = 0, nanos = 0;
    while (nanos < limit) {
        nanos += race(operations);
        done += operations * size;
        MPI_Bcast(&nanos, 1, MPI_INT64_T, FIRST_PROCESS, MPI_COMM_WORLD);
    }
    if (rank == FIRST_PROCESS) {
        printf("%lld %lld\n", (long long) done, (long long) nanos);
        fflush(stdout);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
