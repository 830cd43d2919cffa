package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A view of an element of a lock-based queue. It is only READ and WRITTEN, by whoever has the lock that guards it.
 *
 * <pre>
 *  0        8        16         24      32
 * +--------+--------+----------+-------+-----------+
 * | self   | next   | position | state | item      |
 * +--------+--------+----------+-------+-----------+
 *  self      the reference to this element: tells it from others that have used the same memory
 *  next      the reference to its successor, 0 if it is the last
 *  position  how many elements were before it
 *  state     0, IN_QUEUE or DEQUEUED
 * </pre>
 */
final class QueueElement<T> extends RemoteRecord {
    static final long IN_QUEUE = 1;
    static final long DEQUEUED = 2;

    final RemoteLong self = longField();
    final RemoteLong next = longField();
    final RemoteLong position = longField();
    final RemoteLong state = longField();

    private final Codec<T> codec;
    private final ByteBuffer local;

    private static final int NEXT = 8;
    private static final int POSITION = 16;
    private static final int STATE = 24;
    private static final int ITEM = 32;

    QueueElement(Codec<T> codec) {
        field(codec);
        this.codec = codec;
        this.local = ByteBuffer.allocate(bytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** READs all of it, for the methods below. */
    void fetch(ComputeThread ct) {
        ct.read(pointer(), local.clear());
    }

    long fetchedSelf() {
        return local.getLong(0);
    }

    long fetchedNext() {
        return local.getLong(NEXT);
    }

    long fetchedPosition() {
        return local.getLong(POSITION);
    }

    long fetchedState() {
        return local.getLong(STATE);
    }

    T fetchedItem() {
        return codec.decode(local.clear().position(ITEM));
    }

    /** WRITEs all of it: a new element that has no successor yet. */
    void begin(long reference, T item, ComputeThread ct) {
        local.clear();
        local.putLong(reference).putLong(0).putLong(0).putLong(IN_QUEUE);
        codec.encode(item, local);
        ct.write(pointer(), local.clear());
    }
}
