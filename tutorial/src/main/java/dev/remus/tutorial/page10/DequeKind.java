// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page10;

import dev.remus.node.ComputeThread;
import java.util.Locale;

/** How to make a deque, and handles to it. */
public enum DequeKind {
    /** {@link LockedDeque}. */
    LOCKED {
        @Override
        void create(int capacity, ComputeThread ct) {
            ct.root().set(LockedDeque.create(capacity, ct));
        }

        @Override
        RemoteDeque handle(int capacity, ComputeThread ct) {
            return new LockedDeque(ct.root().get(), capacity, ct);
        }
    },
    /** {@link LockFreeDeque}. */
    LOCK_FREE {
        @Override
        void create(int capacity, ComputeThread ct) {
            ct.root().set(LockFreeDeque.create(capacity, ct));
        }

        @Override
        RemoteDeque handle(int capacity, ComputeThread ct) {
            return new LockFreeDeque(ct.root().get(), ct);
        }
    };

    abstract void create(int capacity, ComputeThread ct);

    abstract RemoteDeque handle(int capacity, ComputeThread ct);

    /** As in an option: {@code lock-free}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
