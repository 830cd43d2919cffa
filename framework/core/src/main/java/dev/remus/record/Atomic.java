// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A value of any fixed-size type in remote memory: the general form, which boxes. {@link RemoteLong}, {@link
 * RemoteBoolean} and {@link RemoteRef} do the same for words without boxing.
 *
 * <p>A value of at most 8 bytes has a whole little-endian word, and is never torn. A longer one may be torn between
 * words when another thread stores it meanwhile, and can only be loaded and stored. The rules of {@link RemoteLong}
 * hold for values that are changed by compare-and-exchange or fetch-and-add.
 *
 * <p>Like its record, it belongs to one thread.
 *
 * @param <T> the type of the value
 */
public final class Atomic<T> extends RemoteField {
    private final Codec<T> codec;
    private final ByteBuffer local;

    /** {@link #local} for an object that marshals itself. */
    private final @Nullable ValuePlace<T> localPlace;

    /** The view's own copy, if {@link #copied} is a part of it. */
    private @Nullable LocalBuffer copy;

    /** The offset of this value in the view's own copy. */
    private @Nullable ByteBuffer copied;

    /** {@link #copied} for an object that marshals itself. */
    private @Nullable ValuePlace<T> copiedPlace;

    Atomic(RecordView record, long offset, Codec<T> codec) {
        super(record, offset);
        if (codec.bytes() < 1) {
            throw new IllegalArgumentException("a codec for values of " + codec.bytes() + " bytes: needs at least 1");
        }
        this.codec = codec;
        int words = (codec.bytes() + Long.BYTES - 1) / Long.BYTES;
        this.local = ByteBuffer.allocate(words * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        this.localPlace = Codecs.place(codec, local);
    }

    /** A value on its own, not a field of a record. */
    public static <T> Atomic<T> at(RdmaPtr<T> pointer, Codec<T> codec) {
        RecordView record = new Alone();
        record.at(pointer);
        return new Atomic<>(record, record.next(codec.bytes()), codec);
    }

    private static final class Alone extends RecordView {}

    /** Loads the value. One round trip. */
    public T load(ComputeThread ct) {
        local.clear();
        if (isWord()) {
            local.putLong(0, ct.read(pointer()));
        } else {
            ct.read(pointer(), local);
        }
        return decode();
    }

    /** Stores the value. It is placed when this returns. One round trip. */
    public void store(T value, ComputeThread ct) {
        checkStorable();
        encode(value);
        if (isWord()) {
            ct.write(pointer(), local.getLong(0));
        } else {
            ct.write(pointer(), local);
        }
    }

    /**
     * Sets the value if it is as expected; returns the old value. One round trip.
     *
     * @throws UnsupportedOperationException if the value is longer than 8 bytes
     */
    public T compareAndExchange(T expected, T desired, ComputeThread ct) {
        return value(swap(expected, desired, ct));
    }

    /**
     * Sets the value if it is as expected; returns whether it was. One round trip.
     *
     * @throws UnsupportedOperationException if the value is longer than 8 bytes
     */
    public boolean compareAndSet(T expected, T desired, ComputeThread ct) {
        return swap(expected, desired, ct) == word(expected);
    }

    private long swap(T expected, T desired, ComputeThread ct) {
        checkWord("compare-and-exchange");
        return ct.compareAndSwap(pointer(), word(expected), word(desired));
    }

    /**
     * Adds to the value, with wrap-around in 64 bits; returns the old value. One round trip.
     *
     * @throws UnsupportedOperationException if the value is not exactly 8 bytes long
     */
    public T fetchAdd(long delta, ComputeThread ct) {
        checkWord("fetch-and-add");
        if (codec.bytes() != Long.BYTES) {
            throw new UnsupportedOperationException(
                    "fetch-and-add on a value of " + codec.bytes() + " bytes: a carry would leave it; needs exactly 8");
        }
        return value(ct.fetchAndAdd(pointer(), delta));
    }

    /**
     * Sets the value; returns the old value. Costs as many round trips as {@link RemoteLong#exchange}: two or more.
     *
     * @throws UnsupportedOperationException if the value is longer than 8 bytes
     */
    public T exchange(T value, ComputeThread ct) {
        checkWord("exchange");
        return value(UpdateLoop.exchange(pointer(), word(value), ct));
    }

    /**
     * Replaces the value by a function of it; returns the old value. Costs as many round trips as {@link
     * RemoteLong#exchange}.
     *
     * @param change called once for each attempt, so it must have no effects; it must not use remote memory
     * @throws UnsupportedOperationException if the value is longer than 8 bytes
     */
    public T update(UnaryOperator<T> change, ComputeThread ct) {
        checkWord("update");
        long old = ct.read(pointer());
        while (true) {
            T value = value(old);
            long desired = word(change.apply(value));
            if (desired == old) {
                return value;
            }
            long found = ct.compareAndSwap(pointer(), old, desired);
            if (found == old) {
                return value;
            }
            old = found;
            ct.pause();
        }
    }

    @Override
    void declareAtomic() {
        if (!isWord()) {
            throw new IllegalArgumentException(
                    "a value of " + codec.bytes() + " bytes cannot be declared atomic: RDMA atomics work on at most 8");
        }
        super.declareAtomic();
    }

    private boolean isWord() {
        return local.capacity() == Long.BYTES;
    }

    private void checkWord(String operation) {
        checkMutable();
        if (!isWord()) {
            throw new UnsupportedOperationException(
                    operation + " on a value of " + codec.bytes() + " bytes: RDMA atomics work on at most 8");
        }
    }

    private long word(T value) {
        encode(value);
        return local.getLong(0);
    }

    private T value(long word) {
        local.clear().putLong(0, word);
        return decode();
    }

    private void encode(T value) {
        encode(value, local, localPlace);
        local.clear();
    }

    private void encode(T value, ByteBuffer to, @Nullable ValuePlace<T> place) {
        if (place != null) {
            place.set(value);
            return;
        }
        to.clear();
        to.putLong(local.capacity() - Long.BYTES, 0);
        codec.encode(value, to);
        if (to.position() != codec.bytes()) {
            throw new IllegalStateException(
                    "the codec declares " + codec.bytes() + " bytes, and has encoded " + to.position());
        }
    }

    private T decode() {
        return decode(local, localPlace);
    }

    private T decode(ByteBuffer from, @Nullable ValuePlace<T> place) {
        return place != null ? place.get() : codec.decode(from.clear());
    }

    /**
     * Its value in the copy that {@link RecordView#fetch} read. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or comes from a cache and this field may have
     *     changed since ({@code hint})
     */
    public T fetched() {
        long at = fetchedAt();
        if (record.hasOwnCopy()) {
            return decode(copied(), copiedPlace);
        }
        for (int i = 0; i < local.capacity(); i += Long.BYTES) {
            local.putLong(i, record.copied(at + i));
        }
        return decode();
    }

    private ByteBuffer copied() {
        LocalBuffer now = record.copy();
        ByteBuffer part = copied;
        if (now != copy || part == null) {
            copy = now;
            part = now.view(offset, local.capacity());
            copied = part;
            copiedPlace = Codecs.place(codec, part);
        }
        return part;
    }

    /**
     * Sets the value in the copy that {@link RecordView#storeStaged} writes. No round trip. If the codec throws, the
     * value in the copy is undefined.
     */
    public void stage(T value, ComputeThread ct) {
        record.beginStaging(ct);
        encode(value, copied(), copiedPlace);
    }

    /** Adds a WRITE of this field alone, with its staged value, to a sequence. */
    public void storeStagedIn(Sequence sequence) {
        checkStorable();
        record.storeStagedIn(sequence, offset, local.capacity());
    }
}
