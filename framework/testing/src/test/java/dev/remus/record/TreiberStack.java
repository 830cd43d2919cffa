// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.ValidatedReads;

/**
 * A stack whose nodes are freed and used again at once, with and without tags in its top: after R. K. Treiber, "Systems
 * Programming: Coping with Parallelism" (IBM RJ 5118, 1986), and, without tags, wrong by ABA.
 */
abstract class TreiberStack {
    static final long EMPTY = -1;

    static final class Item extends RemoteRecord {
        final RemoteLong value = longField();
        final RemoteRef<Item> next = refField();
    }

    final Item item = new Item();
    private final ValidatedReads reads = new ValidatedReads();

    /** Makes an empty stack of one kind. */
    static RdmaPtr<?> create(boolean isTagged, ComputeThread ct) {
        return isTagged ? Tagged.create(ct) : Plain.create(ct);
    }

    /** A thread's handle. */
    static TreiberStack open(boolean isTagged, RdmaPtr<?> This) {
        return isTagged ? new Tagged(This) : new Plain(This);
    }

    /** The word to compare with. */
    abstract long top(ComputeThread ct);

    /** The pointer in it. */
    abstract long target(long top, ComputeThread ct);

    abstract boolean change(long top, long target, ComputeThread ct);

    /** Pushes a value and returns it, or, if it is {@link #EMPTY}, pops one. */
    final long run(long value, ComputeThread ct) {
        if (value == EMPTY) {
            return pop(ct);
        }
        push(value, ct);
        return value;
    }

    private void push(long value, ComputeThread ct) {
        item.allocate(ct);
        item.value.stage(value, ct);
        while (true) {
            long top = top(ct);
            item.next.stage(target(top, ct), ct);
            item.storeStaged(ct);
            if (change(top, item.pointer(), ct)) {
                return;
            }
            ct.pause();
        }
    }

    private long pop(ComputeThread ct) {
        while (true) {
            long top = top(ct);
            item.at(target(top, ct));
            if (item.isAt(RdmaPtr.NULL)) {
                return EMPTY;
            }
            reads.begin(ct);
            try (reads) {
                item.fetch(ct);
            }
            if (change(top, item.next.fetched(), ct)) {
                long value = item.value.fetched();
                item.free(ct);
                return value;
            }
            ct.pause();
        }
    }

    private static final class Tagged extends TreiberStack {
        private static final class Head extends RemoteRecord {
            final TaggedRef<Item> top = taggedRefField();
        }

        private final Head This = new Head();

        Tagged(RdmaPtr<?> This) {
            this.This.at(This);
        }

        static RdmaPtr<?> create(ComputeThread ct) {
            Head head = new Head();
            head.allocate(ct);
            head.top.stage(RdmaPtr.NULL, ct);
            head.storeStaged(ct);
            return new RdmaPtr<>(head.pointer());
        }

        @Override
        long top(ComputeThread ct) {
            return This.top.load(ct);
        }

        @Override
        long target(long top, ComputeThread ct) {
            return This.top.target(top, ct);
        }

        @Override
        boolean change(long top, long target, ComputeThread ct) {
            return This.top.compareAndSet(top, target, ct);
        }
    }

    private static final class Plain extends TreiberStack {
        private static final class Head extends RemoteRecord {
            final RemoteRef<Item> top = refField();
        }

        private final Head This = new Head();

        Plain(RdmaPtr<?> This) {
            this.This.at(This);
        }

        static RdmaPtr<?> create(ComputeThread ct) {
            Head head = new Head();
            head.allocate(ct);
            head.top.store(RdmaPtr.NULL, ct);
            return new RdmaPtr<>(head.pointer());
        }

        @Override
        long top(ComputeThread ct) {
            return This.top.load(ct);
        }

        @Override
        long target(long top, ComputeThread ct) {
            return top;
        }

        @Override
        boolean change(long top, long target, ComputeThread ct) {
            return This.top.compareAndSet(top, target, ct);
        }
    }
}
