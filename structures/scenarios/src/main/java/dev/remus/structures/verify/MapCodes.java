// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.structures.spec.MapOperation;

/**
 * How an {@link dev.remus.verify.OperationLog} records the operations of a map.
 *
 * <p>Each operation that writes must write a value of its own, so that a reader names the writer. So values have
 * numbers: {@link #written} is the one that an operation writes, {@link #AT_FIRST} is the value of a key before the
 * first recorded operation, and {@link #MISSING} stands for no value. The word of the log holds the key, and the number
 * of the value that the key had; a conditional operation has the value that it expects there, from its call on.
 *
 * <pre>
 *   log.call(MapCodes.PUT, key, now);                      // writes MapCodes.written(thread, log.size() - 1, threads)
 *   ...
 *   log.returned(MapCodes.outcome(true), MapCodes.value(key, number of the old value), now);
 * </pre>
 */
public final class MapCodes {
    /** The kind of an operation that reads the value. */
    public static final int GET = MapOperation.Kind.GET.ordinal();

    /** The kind of an operation that sets the value. */
    public static final int PUT = MapOperation.Kind.PUT.ordinal();

    /** The kind of an operation that sets the value if there is none. */
    public static final int PUT_IF_ABSENT = MapOperation.Kind.PUT_IF_ABSENT.ordinal();

    /** The kind of an operation that sets the value if it is the expected one. */
    public static final int REPLACE = MapOperation.Kind.REPLACE.ordinal();

    /** The kind of an operation that removes the key. */
    public static final int REMOVE = MapOperation.Kind.REMOVE.ordinal();

    /** The kind of an operation that removes the key if its value is the expected one. */
    public static final int REMOVE_VALUE = MapOperation.Kind.REMOVE_VALUE.ordinal();

    /** The number that stands for no value. */
    public static final int MISSING = 0;

    /** The number of the value that a key had before the first recorded operation. */
    public static final int AT_FIRST = -1;

    /** The number of a value that no operation has written to the key. */
    public static final int FOREIGN = -2;

    /** The greatest key. */
    public static final long MAX_KEY = 0xFFFF_FFFFL;

    private static final int CHANGED = 1;

    private MapCodes() {}

    /**
     * The number of the value that an operation writes.
     *
     * @param thread the number of its thread, from 0
     * @param place its place in the log of this thread, from 0
     * @param threads the number of threads
     * @throws ArithmeticException if there are too many operations for numbers of 31 bits
     */
    public static int written(int thread, int place, int threads) {
        return Math.addExact(Math.multiplyExact(place, threads), thread + 1);
    }

    /** Whether an operation has changed the map: put, or a remove that found the key, or one whose condition held. */
    public static int outcome(boolean changed) {
        return changed ? CHANGED : 0;
    }

    /**
     * The word of the log.
     *
     * @param key 0 to {@link #MAX_KEY}
     * @param seen the number of the value that the key had, or that the operation expected in vain
     */
    public static long value(long key, int seen) {
        return (long) seen << Integer.SIZE | key;
    }

    static long key(long value) {
        return value & MAX_KEY;
    }

    static int seen(long value) {
        return (int) (value >> Integer.SIZE);
    }
}
