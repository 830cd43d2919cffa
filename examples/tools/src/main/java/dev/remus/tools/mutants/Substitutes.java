// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.node.Sequence;
import dev.remus.record.RecordView;
import dev.remus.record.RemoteBoolean;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Plausible programming mistakes, as methods. Wherever a class under test calls the method that a {@link Mutation}
 * names, a mutant calls the annotated method here.
 *
 * <p>A {@link MutantLoader} loads this class together with the mutants. To add a kind of mistake, add a method. The
 * class is public because the mutants call it.
 */
public final class Substitutes {
    private static final VarHandle MEMORY = memoryField("CheckedMemory");
    private static final VarHandle MEMORY_OF_LOCKS = memoryField("LockWords");
    private static final MethodHandle RECLAIM_UP_TO = reclaimUpTo();

    private Substitutes() {}

    private static MethodHandle reclaimUpTo() {
        try {
            Class<?> allocator = Class.forName("dev.remus.node.Allocator"); // hidden in its package
            return MethodHandles.privateLookupIn(allocator, MethodHandles.lookup())
                    .findVirtual(allocator, "reclaimUpTo", MethodType.methodType(void.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static VarHandle memoryField(String owner) {
        try {
            Class<?> hidden = Class.forName("dev.remus.node." + owner); // the class or its field is, in its package
            return MethodHandles.privateLookupIn(hidden, MethodHandles.lookup())
                    .findVarHandle(hidden, "memory", BlockingOperations.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // ------------------------------------------------------------------------------------ a WRITE for an atomic

    @Mutation(of = "compareAndSwap", name = "write-for-cas")
    public static long compareAndSwap(ComputeThread ct, long pointer, long expected, long desired) {
        long found = ct.read(pointer);
        if (found == expected) {
            ct.write(pointer, desired);
        }
        return found;
    }

    @Mutation(of = "compareAndSwapHeader", name = "write-for-cas")
    public static long compareAndSwapHeader(Object checked, long pointer, long expected, long desired) {
        BlockingOperations memory = (BlockingOperations) MEMORY.get(checked);
        long found = memory.read(pointer);
        if (found == expected) {
            memory.write(pointer, desired);
        }
        return found;
    }

    @Mutation(of = "tryAcquire", name = "write-for-cas")
    public static long tryAcquire(LockWords locks, long lock, long seen, long mark) {
        BlockingOperations memory = (BlockingOperations) MEMORY_OF_LOCKS.get(locks);
        long found = memory.read(lock);
        if (found == seen) {
            memory.write(lock, mark);
        }
        return found;
    }

    @Mutation(of = "release", name = "write-for-cas")
    public static void release(LockWords locks, long lock, long mark) {
        ((BlockingOperations) MEMORY_OF_LOCKS.get(locks)).write(lock, LockWords.FREE);
    }

    @Mutation(of = "postRelease", name = "write-for-cas")
    public static void postRelease(LockWords locks, long lock, long mark) {
        ((BlockingOperations) MEMORY_OF_LOCKS.get(locks)).post(lock, LockWords.FREE);
    }

    @Mutation(of = "compareAndExchange", name = "write-for-cas")
    public static long compareAndExchange(RemoteLong word, long expected, long desired, ComputeThread ct) {
        return compareAndSwap(ct, word.pointer(), expected, desired);
    }

    @Mutation(of = "compareAndSet", name = "write-for-cas")
    public static boolean compareAndSet(RemoteLong word, long expected, long desired, ComputeThread ct) {
        return compareAndSwap(ct, word.pointer(), expected, desired) == expected;
    }

    @Mutation(of = "compareAndExchange", name = "write-for-cas")
    public static long compareAndExchange(RemoteLongArray words, int i, long expected, long desired, ComputeThread ct) {
        return compareAndSwap(ct, words.pointer(i), expected, desired);
    }

    @Mutation(of = "compareAndSet", name = "write-for-cas")
    public static boolean compareAndSet(RemoteLongArray words, int i, long expected, long desired, ComputeThread ct) {
        return compareAndSwap(ct, words.pointer(i), expected, desired) == expected;
    }

    @Mutation(of = "compareAndExchange", name = "write-for-cas")
    public static long compareAndExchange(RemoteRef<?> word, long expected, long desired, ComputeThread ct) {
        return compareAndSwap(ct, word.pointer(), expected, desired);
    }

    @Mutation(of = "compareAndSet", name = "write-for-cas")
    public static boolean compareAndSet(RemoteRef<?> word, long expected, long desired, ComputeThread ct) {
        return compareAndSwap(ct, word.pointer(), expected, desired) == expected;
    }

    @Mutation(of = "compareAndSet", name = "write-for-cas")
    public static boolean compareAndSet(RemoteBoolean word, boolean expected, boolean desired, ComputeThread ct) {
        long before = expected ? 1 : 0;
        return compareAndSwap(ct, word.pointer(), before, desired ? 1 : 0) == before;
    }

    @Mutation(of = "fetchAndAdd", name = "write-for-faa")
    public static long fetchAndAdd(ComputeThread ct, long pointer, long delta) {
        long found = ct.read(pointer);
        ct.write(pointer, found + delta);
        return found;
    }

    @Mutation(of = "postFetchAndAdd", name = "write-for-faa")
    public static void postFetchAndAdd(ComputeThread ct, long pointer, long delta) {
        ct.post(pointer, ct.read(pointer) + delta);
    }

    @Mutation(of = "fetchAndAddHeader", name = "write-for-faa")
    public static long fetchAndAddHeader(Object checked, long pointer, long delta) {
        BlockingOperations memory = (BlockingOperations) MEMORY.get(checked);
        long found = memory.read(pointer);
        memory.write(pointer, found + delta);
        return found;
    }

    @Mutation(of = "fetchAdd", name = "write-for-faa")
    public static long fetchAdd(RemoteLong word, long delta, ComputeThread ct) {
        return fetchAndAdd(ct, word.pointer(), delta);
    }

    @Mutation(of = "fetchAdd", name = "write-for-faa")
    public static long fetchAdd(RemoteLongArray words, int i, long delta, ComputeThread ct) {
        return fetchAndAdd(ct, words.pointer(i), delta);
    }

    // ------------------------------------------------------------------------------------ a store that is not placed

    @Mutation(of = "writeHeader", name = "unplaced")
    public static void writeHeader(Object checked, long pointer, long value) {
        ((BlockingOperations) MEMORY.get(checked)).post(pointer, value);
    }

    @Mutation(of = "writeHeaderAgain", name = "unplaced")
    public static void writeHeaderAgain(Object checked, long pointer, long value) {
        writeHeader(checked, pointer, value);
    }

    @Mutation(of = "write", name = "unplaced")
    public static void write(ComputeThread ct, long pointer, long value) {
        ct.post(pointer, value);
    }

    @Mutation(of = "write", name = "unplaced")
    public static void write(ComputeThread ct, long pointer, ByteBuffer from) {
        ByteBuffer words = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        for (long at = pointer; words.hasRemaining(); at += Long.BYTES) {
            ct.post(at, words.getLong());
        }
        from.position(from.limit());
    }

    @Mutation(of = "store", name = "unplaced")
    public static void store(RemoteLong word, long value, ComputeThread ct) {
        ct.post(word.pointer(), value);
    }

    @Mutation(of = "store", name = "unplaced")
    public static void store(RemoteBoolean word, boolean value, ComputeThread ct) {
        ct.post(word.pointer(), value ? 1 : 0);
    }

    @Mutation(of = "store", name = "unplaced")
    public static void store(RemoteLongArray words, int i, long value, ComputeThread ct) {
        ct.post(words.pointer(i), value);
    }

    @Mutation(of = "store", name = "unplaced")
    public static void store(RemoteRef<?> word, long value, ComputeThread ct) {
        ct.post(word.pointer(), value);
    }

    @Mutation(of = "store", name = "unplaced")
    public static void store(RemoteRef<?> word, RecordView target, ComputeThread ct) {
        ct.post(word.pointer(), target.pointer());
    }

    @Mutation(of = "store", name = "unplaced")
    public static void store(RemoteBytes field, ByteBuffer from, ComputeThread ct) {
        write(ct, field.pointer(), from);
    }

    @Mutation(of = "storeStaged", name = "unplaced")
    public static void storeStaged(RemoteRecord record, ComputeThread ct) {
        Sequence sequence = ct.sequence();
        record.storeStagedIn(sequence);
        sequence.post();
    }

    @Mutation(of = "execute", name = "unplaced")
    public static void execute(Sequence sequence) {
        sequence.post();
    }

    @Mutation(of = "execute", name = "unplaced")
    public static void execute(RemoteSequence sequence) {
        sequence.post();
    }

    // ------------------------------------------------------------------------------------ omitted operations

    @Mutation(of = "place", name = "left-out")
    public static void place(BlockingOperations memory) {}

    /** Does not wait for the asynchronous operations of a thread. */
    @Mutation(of = "finish", name = "left-out")
    public static void finish(Object async) {}

    /** Executes the operations of a sequence once more with the next one. */
    @Mutation(of = "clear", name = "left-out")
    public static void clear(Object requests) {}

    @Mutation(of = "place", name = "left-out")
    public static void place(ComputeThread ct) {}

    @Mutation(of = "placeAll", name = "left-out")
    public static void placeAll(Object placement) {}

    /** Drops the removed mark, which a lock, a mark or a link needs. */
    @Mutation(of = "loadUnmarked", name = "marked")
    public static long loadUnmarked(RemoteRef<?> word, ComputeThread ct) {
        return word.load(ct);
    }

    // ------------------------------------------------------------------------------------ memory freed too early

    @Mutation(of = "schedReclaim", name = "freed-early")
    public static void schedReclaim(RemoteRecord record, ComputeThread ct) {
        record.free(ct);
    }

    @Mutation(of = "schedReclaim", name = "freed-early")
    public static void schedReclaim(ComputeThread ct, long pointer, long bytes) {
        ct.free(RdmaPtr.unmarked(pointer), bytes);
    }

    // ------------------------------------------------------------------------------------ a wrong epoch

    @Mutation(of = "reclaimUpTo", name = "one-early")
    public static void reclaimEarly(Object allocator, long epoch) {
        reclaimUpTo(allocator, epoch + 1);
    }

    @Mutation(of = "reclaimUpTo", name = "one-late")
    public static void reclaimLate(Object allocator, long epoch) {
        reclaimUpTo(allocator, epoch - 1);
    }

    private static void reclaimUpTo(Object allocator, long epoch) {
        try {
            RECLAIM_UP_TO.invoke(allocator, epoch);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
