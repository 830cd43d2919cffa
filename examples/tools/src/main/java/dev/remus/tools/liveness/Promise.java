package dev.remus.tools.liveness;

/** What the class comment of a structure promises for a method, as M. Herlihy and N. Shavit define it. */
enum Promise {
    /** Every call ends after a bounded number of the caller's own steps, whatever others do. */
    WAIT_FREE("wait-free"),
    /** Whatever happens to some threads, the others together get on; so a call ends when the others have stopped. */
    LOCK_FREE("lock-free"),
    /** A call may wait for another thread, and for ever for one that has stopped. */
    BLOCKING("blocking");

    private final String text;

    Promise(String text) {
        this.text = text;
    }

    /** Whether no call may wait for a thread that has stopped. */
    boolean isNonblocking() {
        return this != BLOCKING;
    }

    @Override
    public String toString() {
        return text;
    }
}
