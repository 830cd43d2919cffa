// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.overlap;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.FastLazyListSet;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.LockFreeQueue;
import dev.remus.structures.LongCachedLazyListSet;
import dev.remus.structures.LongFastLazyListSet;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.RemoteLongSet;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.ScalableQueue;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The operations that are measured. The lists are only searched, so that no barrier has to reclaim memory. */
enum Work {
    /** READs of one word. */
    READ {
        @Override
        RdmaPtr<?> create(int keys, ComputeThread ct) {
            return new RdmaPtr<>(zeroed(ct));
        }

        @Override
        Loop open(RdmaPtr<?> data, int keys, ComputeThread ct) {
            return () -> {
                ct.read(data.raw());
                return 1;
            };
        }
    },
    /** COMPARE_AND_SWAPs, each thread on a word of its own. */
    CAS {
        @Override
        RdmaPtr<?> create(int keys, ComputeThread ct) {
            return new RdmaPtr<>(zeroed(ct));
        }

        @Override
        Loop open(RdmaPtr<?> data, int keys, ComputeThread ct) {
            long own = zeroed(ct);
            return () -> {
                ct.compareAndSwap(own, 0, 0);
                return 1;
            };
        }
    },
    /** Searches in the list of the tutorial. */
    PLAIN {
        @Override
        RdmaPtr<?> create(int keys, ComputeThread ct) {
            RdmaPtr<LazyListSet.Shared> list = LongLazyListSet.create(ct);
            fill(new LongLazyListSet(list), keys, ct);
            return list;
        }

        @Override
        Loop open(RdmaPtr<?> data, int keys, ComputeThread ct) {
            return searches(new LongLazyListSet(new RdmaPtr<>(data.raw())), keys, ct);
        }
    },
    /** Searches in the list that reads a node with one READ. */
    FAST {
        @Override
        RdmaPtr<?> create(int keys, ComputeThread ct) {
            RdmaPtr<FastLazyListSet.Shared> list = LongFastLazyListSet.create(ct);
            fill(new LongFastLazyListSet(list), keys, ct);
            return list;
        }

        @Override
        Loop open(RdmaPtr<?> data, int keys, ComputeThread ct) {
            return searches(new LongFastLazyListSet(new RdmaPtr<>(data.raw())), keys, ct);
        }
    },
    /** Searches in the fast list with a read cache for each thread. */
    CACHED {
        @Override
        RdmaPtr<?> create(int keys, ComputeThread ct) {
            return FAST.create(keys, ct);
        }

        @Override
        Loop open(RdmaPtr<?> data, int keys, ComputeThread ct) {
            return searches(new LongCachedLazyListSet(new RdmaPtr<>(data.raw())), keys, ct);
        }
    },
    /** Enqueuing to and dequeuing from the lock-free queue, in turn. */
    QUEUE {
        @Override
        RdmaPtr<?> create(int keys, ComputeThread ct) {
            return LockFreeQueue.create(capacity(keys, ct), Codecs.LONG, ct);
        }

        @Override
        Loop open(RdmaPtr<?> data, int keys, ComputeThread ct) {
            return inTurn(new LockFreeQueue<>(new RdmaPtr<>(data.raw()), Codecs.LONG, ct), ct);
        }
    },
    /** The same in the queue whose threads do not compete for a word that they have to swap. */
    SCALABLE {
        @Override
        RdmaPtr<?> create(int keys, ComputeThread ct) {
            return ScalableQueue.create(capacity(keys, ct), Codecs.LONG, ct);
        }

        @Override
        Loop open(RdmaPtr<?> data, int keys, ComputeThread ct) {
            return inTurn(new ScalableQueue<>(new RdmaPtr<>(data.raw()), Codecs.LONG, ct), ct);
        }
    },
    /**
     * The buffered queue, which has one consumer: the first thread dequeues, and the others enqueue. A thread alone
     * does both in turn. Only items that are moved count as operations.
     */
    BUFFERED {
        @Override
        RdmaPtr<?> create(int keys, ComputeThread ct) {
            return BufferedQueue.create(capacity(keys, ct), Codecs.LONG, ct);
        }

        @Override
        Loop open(RdmaPtr<?> data, int keys, ComputeThread ct) {
            BufferedQueue<Long> queue = new BufferedQueue<>(new RdmaPtr<>(data.raw()), Codecs.LONG, ct);
            if (ct.threads() == 1) {
                return inTurn(queue, ct);
            }
            Long item = (long) ct.id();
            return ct.id() == 0
                    ? () -> queue.tryDequeue(ct).isItem() ? 1 : 0
                    : () -> queue.tryEnqueue(item, ct) ? 1 : 0;
        }
    },
    /** Switches to another thread, without an operation; measured beside {@link #READ}, not by itself. */
    YIELD {
        @Override
        RdmaPtr<?> create(int keys, ComputeThread ct) {
            return RdmaPtr.nullPointer();
        }

        @Override
        Loop open(RdmaPtr<?> data, int keys, ComputeThread ct) {
            return () -> {
                Thread.yield();
                return 1;
            };
        }
    };

    /** What one thread does again and again. */
    interface Loop {
        /** Tries an operation, and returns how many it has completed. */
        int once();
    }

    /** Creates the data in remote memory; called by one thread. */
    abstract RdmaPtr<?> create(int keys, ComputeThread ct);

    /** The works that a command line may name, which are all but {@link #YIELD}. */
    static List<Work> selectable() {
        return Stream.of(values()).filter(work -> work != YIELD).toList();
    }

    /** The operation of a thread on the data. */
    abstract Loop open(RdmaPtr<?> data, int keys, ComputeThread ct);

    private static long zeroed(ComputeThread ct) {
        long block = ct.allocate(Long.BYTES);
        ct.write(block, 0);
        return block;
    }

    private static void fill(RemoteLongSet set, int keys, ComputeThread ct) {
        for (long key = keys - 2L; key >= 0; key -= 2) {
            set.insert(key, ct);
        }
    }

    private static Loop searches(RemoteLongSet set, int keys, ComputeThread ct) {
        set.contains(keys, ct); // fills the cache, if there is one
        return () -> {
            set.contains(ct.random().nextInt(keys), ct);
            return 1;
        };
    }

    private static int capacity(int keys, ComputeThread ct) {
        return Math.max(keys, 2 * ct.threads());
    }

    private static Loop inTurn(RemoteQueue<Long> queue, ComputeThread ct) {
        boolean[] holds = new boolean[1];
        Long item = (long) ct.id();
        return () -> {
            holds[0] = !holds[0];
            if (holds[0]) {
                queue.tryEnqueue(item, ct);
            } else {
                queue.tryDequeue(ct);
            }
            return 1;
        };
    }

    /** For example {@code read}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
