// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;

/** The two buffered queues, for tests of what both do. */
enum Variant {
    BUFFERED {
        @Override
        RdmaPtr<Ring> create(int capacity, Codec<?> codec, long start, ComputeThread ct) {
            return BufferedQueue.create(capacity, codec, start, ct);
        }

        @Override
        <T> RingQueue<T> open(RdmaPtr<Ring> This, Codec<T> codec, ComputeThread ct) {
            return new BufferedQueue<>(This, codec, ct);
        }
    },
    RELAXED {
        @Override
        RdmaPtr<Ring> create(int capacity, Codec<?> codec, long start, ComputeThread ct) {
            return RelaxedBufferedQueue.create(capacity, codec, start, ct);
        }

        @Override
        <T> RingQueue<T> open(RdmaPtr<Ring> This, Codec<T> codec, ComputeThread ct) {
            return new RelaxedBufferedQueue<>(This, codec, ct);
        }
    };

    abstract RdmaPtr<Ring> create(int capacity, Codec<?> codec, long start, ComputeThread ct);

    abstract <T> RingQueue<T> open(RdmaPtr<Ring> This, Codec<T> codec, ComputeThread ct);

    <T> RingQueue<T> make(int capacity, Codec<T> codec, ComputeThread ct) {
        return open(create(capacity, codec, 0, ct), codec, ct);
    }
}
