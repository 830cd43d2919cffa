package dev.remus.tools.queue;

/** What an operation on a queue does. */
enum QueueOperationKind {
    /** Tries to put an item in, and is told FULL if there is no room. */
    ENQUEUE,
    /** Tries to take an item out, and is told if there is none. */
    DEQUEUE
}
