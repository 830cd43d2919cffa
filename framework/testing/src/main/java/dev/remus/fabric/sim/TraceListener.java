// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.CompletionStatus;

/**
 * Receives the events of a run as they happen, for a tool that shows them. Each call comes from the thread or lane that
 * has the turn; a listener neither waits nor uses the fabric.
 */
public interface TraceListener {
    /** Names the word at a raw pointer as the calling thread does; empty if it is unknown. */
    String nameOf(long pointer);

    /**
     * A thread or a lane goes on.
     *
     * @param number the number of the step
     * @param nanos the virtual time in nanoseconds
     */
    void step(long number, long nanos, String agent);

    /** The thread that goes on has posted a request. */
    void posted(PostedRequest request);

    /**
     * A request has ended. The words of a WRITE may be placed later. A lane that breaks ends requests a second time,
     * with the status that is reported.
     *
     * @param request the number of the request
     * @param values the words that it has read or written, the first 256 at most; an atomic has read one
     */
    void ended(long request, CompletionStatus status, long[] values);

    /** One more word of a WRITE is in memory, for all threads to see. */
    void placed(long request);

    /** A word has changed. */
    void changed(long pointer, long before, long after);

    /** A fault has struck, or something else has happened that one line describes. */
    void noted(String what);
}
