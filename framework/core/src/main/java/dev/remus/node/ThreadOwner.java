package dev.remus.node;

/** The owner of a Compute Thread. Refuses calls by other threads, and every call after the thread was closed. */
final class ThreadOwner {
    private final String name;
    private final Thread thread = Thread.currentThread();

    /** Written by the owner. Calls by other threads are refused anyway. */
    private boolean closed;

    /**
     * Makes the calling thread the owner.
     *
     * @param name the Compute Thread's name, for messages
     */
    ThreadOwner(String name) {
        this.name = name;
    }

    /**
     * Checks that the owner calls, and has not closed its Compute Thread.
     *
     * @throws IllegalStateException if another thread calls, or the owner has closed it
     */
    void check() {
        if (closed) {
            throw new IllegalStateException(name + " is closed");
        }
        if (Thread.currentThread() != thread) {
            throw new IllegalStateException(name + " belongs to another thread, the one that opened it");
        }
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return name;
    }
}
