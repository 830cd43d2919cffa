/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MPI peer of "./remus bench mpi": one-sided operations of 8 bytes on the memory of another local process.
 * Two processes: the first measures; the second sleeps and provides its memory.
 *
 * Reads lines "get N", "put N", "fao N", "cas N" (fetch-and-op, compare-and-swap) from standard input, does N of them, each
 * completed by a flush, and prints "NANOSECONDS SUM" for all together. Ends with its input.
 *
 * The calls are those of MPI: A Message-Passing Interface Standard 3.1, chapter 11 (one-sided communications).
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TARGET = 1, WORDS = 8, DATA = 0, END = 4 };

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Repeats the operation n times; the sum prevents dead-code elimination. */
static int64_t run(const char *what, long n, MPI_Win window) {
    static int64_t word = 0; /* the last value that compare-and-swap wrote */
    int64_t sum = 0;
    int64_t result = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t next = i + 1;
        if (strcmp(what, "get") == 0) {
            MPI_Get(&result, 1, MPI_INT64_T, TARGET, DATA, 1, MPI_INT64_T, window);
        } else if (strcmp(what, "put") == 0) {
            MPI_Put(&i, 1, MPI_INT64_T, TARGET, DATA + 1, 1, MPI_INT64_T, window);
        } else if (strcmp(what, "fao") == 0) {
            MPI_Fetch_and_op(&next, &result, MPI_INT64_T, TARGET, DATA + 2, MPI_SUM, window);
        } else {
            next = word + 1; /* always succeeds */
            MPI_Compare_and_swap(&next, &word, &result, MPI_INT64_T, TARGET, DATA + 3, window);
            word = next;
        }
        MPI_Win_flush(TARGET, window);
        sum += result;
    }
    return sum;
}

static void measure(MPI_Win window) {
    char line[64];
    char what[8];
    long n;
    while (fgets(line, sizeof line, stdin) != NULL && sscanf(line, "%7s %ld", what, &n) == 2) {
        int64_t start = now();
        int64_t sum = run(what, n, window);
        printf("%lld %lld\n", (long long) (now() - start), (long long) sum);
        fflush(stdout);
    }
    int64_t end = 1;
    MPI_Put(&end, 1, MPI_INT64_T, TARGET, END, 1, MPI_INT64_T, window);
    MPI_Win_flush(TARGET, window);
}

/* Leaves the processor to the measuring process. */
static void sleep_until_the_end(volatile int64_t *memory, MPI_Win window) {
    struct timespec pause = {0, 20000000};
    while (memory[END] == 0) {
        nanosleep(&pause, NULL);
        MPI_Win_sync(window);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int64_t *memory;
    MPI_Win window;
    MPI_Win_allocate(
            WORDS * sizeof(int64_t), sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memset(memory, 0, WORDS * sizeof(int64_t));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        measure(window);
    } else {
        sleep_until_the_end(memory, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
