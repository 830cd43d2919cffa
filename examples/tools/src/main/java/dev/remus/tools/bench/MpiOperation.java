// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.node.ComputeThread;

/** The operations compared with MPI: one-sided, on 8 bytes, each complete before the next starts. */
enum MpiOperation {
    GET("get", "read", 4) {
        @Override
        long run(ComputeThread ct, long word, long n) {
            long sum = 0;
            for (long i = 0; i < n; i++) {
                sum += ct.read(word);
            }
            return sum;
        }
    },
    PUT("put", "write", 2) {
        @Override
        long run(ComputeThread ct, long word, long n) {
            for (long i = 0; i < n; i++) {
                ct.write(word, i);
            }
            return 0;
        }
    },
    FETCH_AND_OP("fao", "fetchAndAdd", 3) {
        @Override
        long run(ComputeThread ct, long word, long n) {
            long sum = 0;
            for (long i = 0; i < n; i++) {
                sum += ct.fetchAndAdd(word, i);
            }
            return sum;
        }
    },
    COMPARE_AND_SWAP("cas", "compareAndSwap", 4) {
        @Override
        long run(ComputeThread ct, long word, long n) {
            long value = ct.read(word);
            for (long i = 0; i < n; i++) {
                ct.compareAndSwap(word, value, ++value);
            }
            return value;
        }
    };

    private final String mpi;
    private final String ours;
    private final double target;

    /**
     * @param mpi its name in the peer's program
     * @param ours the method of the Compute Thread
     * @param target the least required ratio of MPI's time to ours
     */
    MpiOperation(String mpi, String ours, double target) {
        this.mpi = mpi;
        this.ours = ours;
        this.target = target;
    }

    String mpi() {
        return mpi;
    }

    String ours() {
        return ours;
    }

    double target() {
        return target;
    }

    /** Repeats the operation {@code n} times. The returned sum prevents dead-code elimination. */
    abstract long run(ComputeThread ct, long word, long n);
}
