// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.RdmaPtr;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a Compute Thread holds, and the one that it waits for, for programs that watch it. Locks record their
 * changes here, which costs a plain store; locking itself does not depend on it. Only that thread writes. Others may
 * read, and see slightly old values.
 */
public final class HeldLocks {
    /** More locks than most threads ever hold at once. */
    private static final int INITIAL_CAPACITY = 8;

    private long[] held = new long[INITIAL_CAPACITY];
    private @Nullable LockKind[] kinds = new LockKind[INITIAL_CAPACITY];
    private long awaited;
    private LockKind awaitedKind = LockKind.TICKET;

    /** How often the thread has begun to wait. */
    private long waits;

    HeldLocks() {}

    /** Records that the thread waits for the {@code RemoteLock} at a pointer. */
    public void startWaiting(long pointer) {
        startWaiting(pointer, LockKind.TICKET);
    }

    /** Records that the thread waits for a lock of some kind at a pointer. */
    public void startWaiting(long pointer, LockKind kind) {
        if (awaited != pointer) {
            waits++;
        }
        awaitedKind = kind;
        awaited = pointer;
    }

    /** Records that the thread does not wait any more: it has acquired the lock or given up. */
    public void stopWaiting() {
        awaited = 0;
    }

    /** Records that the thread has acquired the {@code RemoteLock} at a pointer. */
    public void add(long pointer) {
        add(pointer, LockKind.TICKET);
    }

    /** Records that the thread has acquired a lock of some kind at a pointer. */
    public void add(long pointer, LockKind kind) {
        awaited = 0;
        int free = indexOf(0);
        if (free < 0) {
            free = held.length;
            kinds = Arrays.copyOf(kinds, 2 * held.length); // first, since another thread may read both
            held = Arrays.copyOf(held, 2 * held.length);
        }
        kinds[free] = kind;
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

    /** The locks that the thread holds, for {@link NodeNotice}. Any thread may call it. */
    String describeHeld() {
        long[] pointers = held;
        @Nullable LockKind[] theirs = kinds;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pointers.length && i < theirs.length; i++) {
            long pointer = pointers[i];
            if (pointer != 0) {
                text.append(text.length() == 0 ? "" : " ").append(describe(pointer, theirs[i]));
            }
        }
        return text.toString();
    }

    /** The lock that the thread waits for, in the same way; empty if there is none. */
    String describeAwaited() {
        long pointer = awaited;
        return pointer == 0 ? "" : describe(pointer, awaitedKind);
    }

    private static String describe(long pointer, @Nullable LockKind kind) {
        return kind == null || kind == LockKind.TICKET ? Long.toString(pointer) : pointer + ":" + kind;
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
}
