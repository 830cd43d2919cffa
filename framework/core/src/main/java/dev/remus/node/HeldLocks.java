package dev.remus.node;

import java.util.Arrays;

/**
 * Which locks a Compute Thread has and which one it waits for, for those who watch it. A lock notes here what it does,
 * which costs a plain store; locking itself does not depend on it. Written by that thread only; others may read it and
 * see slightly old news.
 */
public final class HeldLocks {
    /** More than a thread should ever have; further ones are not noted. */
    private static final int CAPACITY = 8;

    private final long[] held = new long[CAPACITY];
    private long awaited;

    HeldLocks() {}

    /** The thread waits for the lock at a pointer. */
    public void startWaiting(long pointer) {
        awaited = pointer;
    }

    /** The thread waits no more: it has got the lock or given up. */
    public void stopWaiting() {
        awaited = 0;
    }

    /** The thread has got the lock at a pointer. */
    public void add(long pointer) {
        awaited = 0;
        for (int i = 0; i < CAPACITY; i++) {
            if (held[i] == 0) {
                held[i] = pointer;
                return;
            }
        }
    }

    /** The thread has released the lock at a pointer. */
    public void remove(long pointer) {
        for (int i = 0; i < CAPACITY; i++) {
            if (held[i] == pointer) {
                held[i] = 0;
                return;
            }
        }
    }

    /** The pointers of the locks that the thread has, in no particular order. */
    public long[] held() {
        return Arrays.stream(held.clone()).filter(pointer -> pointer != 0).toArray();
    }

    /** The pointer of the lock that the thread waits for, 0 if for none. */
    long awaited() {
        return awaited;
    }
}
