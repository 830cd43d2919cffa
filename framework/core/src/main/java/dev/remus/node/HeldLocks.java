// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.RdmaPtr;
import java.util.Arrays;

/**
 * The locks that a Compute Thread holds, and the one that it waits for, for programs that watch it. Locks record their
 * changes here, which costs a plain store; locking itself does not depend on it. Only that thread writes. Others may
 * read, and see slightly old values.
 */
public final class HeldLocks {
    /** More locks than most threads ever hold at once. */
    private static final int INITIAL_CAPACITY = 8;

    private long[] held = new long[INITIAL_CAPACITY];
    private long awaited;

    /** How often the thread has begun to wait. */
    private long waits;

    HeldLocks() {}

    /** Records that the thread waits for the lock at a pointer. */
    public void startWaiting(long pointer) {
        if (awaited != pointer) {
            waits++;
        }
        awaited = pointer;
    }

    /** Records that the thread does not wait any more: it has acquired the lock or given up. */
    public void stopWaiting() {
        awaited = 0;
    }

    /** Records that the thread has acquired the lock at a pointer. */
    public void add(long pointer) {
        awaited = 0;
        int free = indexOf(0);
        if (free < 0) {
            free = held.length;
            held = Arrays.copyOf(held, 2 * held.length);
        }
        held[free] = pointer;
    }

    /** Records that the thread has released the lock at a pointer. */
    public void remove(long pointer) {
        int i = indexOf(pointer);
        if (i >= 0) {
            held[i] = 0;
        }
    }

    /** Whether the thread holds the lock at a pointer; for this thread only. */
    public boolean contains(long pointer) {
        return indexOf(pointer) >= 0;
    }

    private int indexOf(long pointer) {
        for (int i = 0; i < held.length; i++) {
            if (held[i] == pointer) {
                return i;
            }
        }
        return -1;
    }

    /** The pointers of the locks that the thread holds, in no particular order. */
    public long[] held() {
        return Arrays.stream(held.clone()).filter(pointer -> pointer != 0).toArray();
    }

    /** To be called when the thread ends: others would wait for ever for a lock that it still holds. */
    void checkNoneIsLeft(ThreadOwner owner, Participation participation) {
        long[] left = held();
        if (left.length > 0) {
            String mistake = owner + " has ended without releasing the lock at (" + RdmaPtr.toString(left[0]) + ")";
            participation.abort(mistake);
            throw new IllegalStateException(mistake);
        }
    }

    /** The number of the wait for a lock that is going on, 0 if there is none. */
    long currentWait() {
        return awaited == 0 ? 0 : waits;
    }

    /** The pointer of the lock that the thread waits for, 0 if there is none. */
    long awaited() {
        return awaited;
    }
}
