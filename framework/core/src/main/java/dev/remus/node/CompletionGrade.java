package dev.remus.node;

/** What "complete" means to somebody who waits at a {@link CompletionBarrier}. */
public enum CompletionGrade {
    /** The local memory is the caller's again: a result has arrived, or a WRITE has been acknowledged. */
    LOCAL,
    /** It is in the Memory Node's memory too, visible on every lane: what a WRITE is once it is placed. */
    REMOTE
}
