// SPDX-License-Identifier: Apache-2.0
package dev.remus.verify;

/**
 * One thread's record of its operations: the calls, the results, and their moments by the clock of the machine.
 * Recording allocates nothing and shares nothing; an object belongs to one thread and takes {@value
 * #BYTES_PER_OPERATION} bytes per operation.
 *
 * <pre>
 *   word 0   the value: argument or result
 *   word 1   the moment of the call, in nanoseconds
 *   word 2   nanoseconds until the return (48 bits), outcome (8), kind (8)
 * </pre>
 *
 * <p>Record the call before the operation begins, and the return after it has ended: then the recorded interval covers
 * the true one, and a correct object is never found wrong. An operation without a return stays pending: it may have
 * taken effect at any moment after its call, or not at all.
 */
public final class OperationLog {
    /** The memory of one operation. */
    public static final int BYTES_PER_OPERATION = 24;

    static final int WORDS = 3;
    static final int CODE_BITS = 8;
    static final int MAX_CODE = (1 << CODE_BITS) - 1;
    /** Instead of the nanoseconds until the return: there was none. */
    static final long NO_RETURN = (1L << Long.SIZE - 2 * CODE_BITS) - 1;

    private static final int NONE = -WORDS;

    private final long[] words;
    private int end;
    /** The operation that has been called and has not returned. */
    private int open = NONE;

    private long withdrawn;

    /** @param capacity the most operations that it can hold */
    public OperationLog(int capacity) {
        if (capacity < 0 || capacity > Integer.MAX_VALUE / WORDS - WORDS) {
            throw new IllegalArgumentException(
                    "a log of " + capacity + " operations: needs 0 to " + (Integer.MAX_VALUE / WORDS - WORDS));
        }
        words = new long[capacity * WORDS];
    }

    /** Whether it has no room for another operation. */
    public boolean isFull() {
        return end == words.length;
    }

    /** How many operations it holds. */
    public int size() {
        return end / WORDS;
    }

    /** How many operations have been {@linkplain #withdraw withdrawn}. */
    public long withdrawn() {
        return withdrawn;
    }

    /**
     * The thread is about to call an operation. If the previous one has not returned, that one stays pending.
     *
     * @param kind a code of the operation, 0 to 255
     * @param value its argument, if it has one
     * @throws IllegalStateException if the log is full
     * @throws IllegalArgumentException if the code is out of range
     */
    public void call(int kind, long value) {
        call(kind, value, System.nanoTime());
    }

    /**
     * The same for a thread that has just read the clock.
     *
     * @param nanos a reading of {@link System#nanoTime} before the operation
     */
    public void call(int kind, long value, long nanos) {
        if (isFull()) {
            throw new IllegalStateException("the log is full: it has room for " + size() + " operations");
        }
        words[end] = value;
        words[end + 1] = nanos;
        words[end + 2] = NO_RETURN << 2 * CODE_BITS | checked(kind);
        open = end;
        end += WORDS;
    }

    /**
     * The operation has returned.
     *
     * @param outcome a code of the result, 0 to 255
     * @throws IllegalStateException if no operation is open
     * @throws IllegalArgumentException if the code is out of range
     */
    public void returned(int outcome) {
        long nanos = System.nanoTime();
        returned(outcome, words[opened()], nanos);
    }

    /**
     * The operation has returned a value, which replaces its argument.
     *
     * @throws IllegalStateException if no operation is open
     */
    public void returned(int outcome, long value) {
        returned(outcome, value, System.nanoTime());
    }

    /**
     * The same for a thread that has just read the clock.
     *
     * @param nanos a reading of {@link System#nanoTime} after the operation
     */
    public void returned(int outcome, long value, long nanos) {
        int at = opened();
        // A call and a return at one reading of a coarse clock still differ, and a longer interval is a safe one.
        long took = Math.min(Math.max(1, nanos - words[at + 1]), NO_RETURN - 1);
        words[at] = value;
        words[at + 2] = took << 2 * CODE_BITS | (long) checked(outcome) << CODE_BITS | words[at + 2] & MAX_CODE;
        open = NONE;
    }

    /**
     * The operation has returned without any effect, and with a result that promises nothing, such as "not ready": it
     * leaves the log.
     *
     * @throws IllegalStateException if no operation is open
     */
    public void withdraw() {
        end = opened();
        open = NONE;
        withdrawn++;
    }

    private static int checked(int code) {
        if (code < 0 || code > MAX_CODE) {
            throw new IllegalArgumentException("a code of " + code + ": needs 0 to " + MAX_CODE);
        }
        return code;
    }

    private int opened() {
        if (open == NONE) {
            throw new IllegalStateException("no operation has been called that could return");
        }
        return open;
    }

    /** The number of words in use. */
    int words() {
        return end;
    }

    /** A word in use. */
    long word(int i) {
        return words[i];
    }
}
