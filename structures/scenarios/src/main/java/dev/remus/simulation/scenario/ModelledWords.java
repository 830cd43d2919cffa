// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import java.util.SplittableRandom;

/**
 * The words that one thread of an asynchronous scenario works on: it posts operations, and compares the words with a
 * model.
 *
 * <pre>
 *  a thread's words at two places, 8 bytes each
 *   0 ... 3                4                 5                  8 ... 15
 *  +----------------------+-----------------+------------------+----------------------+
 *  | WRITTEN, READ        | compared and    | added to by all, | WRITTEN, READ as one |
 *  |                      | swapped         | at two threads'  |                      |
 *  +----------------------+-----------------+------------------+----------------------+
 * </pre>
 */
final class ModelledWords {
    /** The number of words at a place. */
    static final int WORDS = 16;

    /** The word that all threads add to; no model covers it. */
    static final int COUNTER = 5;

    private static final int PLAIN = 4;
    private static final int SWAPPED = 4;
    private static final int BULK = 8;
    private static final int BULK_BYTES = 64;
    private static final long GARBAGE = -1;

    /** A kind of operation. */
    enum Kind {
        READ,
        WRITE,
        SWAP,
        ADD,
        BULK_READ,
        BULK_WRITE
    }

    /** A posted operation. */
    static final class Operation {
        final Kind kind;
        final int place;
        private final int word;
        final RemoteFuture future;
        final int node;
        final long id;

        /** The value that it must find. */
        final long found;

        boolean detached;
        boolean ended;

        Operation(Kind kind, int place, int word, long found, RemoteFuture future) {
            this.kind = kind;
            this.place = place;
            this.word = word;
            this.found = found;
            this.future = future;
            this.node = future.memoryNode();
            this.id = future.id();
        }
    }

    private final SplittableRandom random;
    private final ComputeThread ct;
    private final long[] places;
    private final long[] counters;
    private final LocalBuffer written;
    private final LocalBuffer read;

    /** By place and word; of the bulk the first word stands for all. */
    private final long[][] model = new long[2][WORDS];

    private long stamp;

    /**
     * Creates it.
     *
     * @param places pointers to the words of this thread
     * @param counters pointers to the words that all threads add to
     */
    ModelledWords(long[] places, long[] counters, SplittableRandom random, ComputeThread ct) {
        this.random = random;
        this.ct = ct;
        this.places = places;
        this.counters = counters;
        this.written = ct.allocateLocal(2 * BULK_BYTES);
        this.read = ct.allocateLocal(2 * BULK_BYTES);
    }

    private long pointer(int place, int word) {
        return places[place] + (long) word * Long.BYTES;
    }

    /** Draws a word of a place for an operation of this kind. */
    int drawWord(Kind kind) {
        return switch (kind) {
            case READ, WRITE -> random.nextInt(PLAIN);
            case SWAP -> SWAPPED;
            case ADD -> COUNTER;
            case BULK_READ, BULK_WRITE -> BULK;
        };
    }

    /** Posts an operation. */
    Operation post(Kind kind, int place, int word) {
        return new Operation(kind, place, word, model[place][word], start(kind, place, word));
    }

    private RemoteFuture start(Kind kind, int place, int word) {
        long pointer = pointer(place, word);
        long before = model[place][word];
        return switch (kind) {
            case READ -> ct.async().read(pointer);
            case WRITE -> ct.async().write(pointer, model[place][word] = ++stamp);
            case SWAP -> {
                boolean fits = random.nextInt(3) > 0;
                model[place][word] = fits ? ++stamp : before;
                yield ct.async().compareAndSwap(pointer, fits ? before : GARBAGE, fits ? stamp : GARBAGE);
            }
            case ADD -> ct.async().fetchAndAdd(counters[place], 1);
            case BULK_READ -> {
                fill(read, place, GARBAGE);
                yield ct.async().read(pointer, read, (long) place * BULK_BYTES, BULK_BYTES);
            }
            case BULK_WRITE -> {
                model[place][word] = ++stamp;
                fill(written, place, stamp);
                yield ct.async().write(pointer, written, (long) place * BULK_BYTES, BULK_BYTES);
            }
        };
    }

    private void fill(LocalBuffer memory, int place, long value) {
        for (int i = 0; i < BULK_BYTES; i += Long.BYTES) {
            memory.putLong((long) place * BULK_BYTES + i, value);
        }
    }

    /** The thread owns the local memory again: read values are there, and written values may be overwritten. */
    void useLocalMemory(Operation operation) {
        if (operation.kind == Kind.BULK_WRITE) {
            fill(written, operation.place, GARBAGE);
        } else if (operation.kind == Kind.BULK_READ) {
            for (int i = 0; i < BULK_BYTES; i += Long.BYTES) {
                long word = read.getLong((long) operation.place * BULK_BYTES + i);
                check(word == operation.found, "READ " + word + " instead of " + operation.found);
            }
        }
    }

    /** Checks that every lane sees the value that an operation wrote. */
    void checkPlaced(Operation operation) {
        if (operation.kind != Kind.ADD) {
            int last = operation.word == BULK ? WORDS : operation.word + 1;
            for (int word = operation.word; word < last; word++) {
                long found = ct.read(pointer(operation.place, word));
                long expected = model[operation.place][operation.word];
                check(
                        found == expected,
                        operation.kind + " at ("
                                + RdmaPtr.toString(pointer(operation.place, word))
                                + ") is complete, but the word is " + found + " instead of " + expected);
            }
        }
    }

    /** Sets a word and its model to 0, whatever operations of unknown outcome have made of it. */
    void zero(int place, int word) {
        long pointer = pointer(place, word);
        model[place][word] = 0;
        long seen = ct.read(pointer);
        while (seen != 0) {
            seen = ct.compareAndSwap(pointer, seen, 0) == seen ? 0 : ct.read(pointer);
        }
    }

    /** Throws an error with this message unless a condition holds. */
    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
