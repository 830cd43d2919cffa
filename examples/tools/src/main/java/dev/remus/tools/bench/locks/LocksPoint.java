// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

/**
 * What is measured.
 *
 * @param isModel whether on the model of hardware instead of this machine
 * @param kind the lock
 * @param threads the number of threads
 * @param reads the number of READs inside
 */
record LocksPoint(boolean isModel, LockSubject kind, int threads, int reads) {
    String place() {
        return isModel ? "model" : "shm";
    }

    String section() {
        return reads == Contest.SHORT ? "short" : "long";
    }
}
