// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

/** How much the producers of a run enqueue, and how much room they have. */
enum BufferedLoad {
    /** All items fit: the producers enqueue first, the consumer dequeues afterwards, and no thread waits. */
    ROOM("room"),
    /** Producers and consumer run at the same time, as fast as they can. */
    STREAM("stream"),
    /** A small buffer, and a consumer that works for each item: the buffer is full, and the producers wait. */
    FULL("full");

    private final String text;

    BufferedLoad(String text) {
        this.text = text;
    }

    /** As in tables. */
    @Override
    public String toString() {
        return text;
    }
}
