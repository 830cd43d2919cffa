package dev.remus.node;

/** The owner of a Compute Thread: refuses calls by other threads, and every call after the thread was closed. */
final class ThreadOwner {
    private final String name;
    private final Thread thread = Thread.currentThread();

    /** Written by the owner; another thread that calls is refused anyway. */
    private boolean closed;

    /**
     * The calling thread becomes the owner.
     *
     * @param name the Compute Thread's, for messages
     */
    ThreadOwner(String name) {
        this.name = name;
    }

    /**
     * Checks that the owner calls, before it has closed its Compute Thread.
     *
     * @throws IllegalStateException if not
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
