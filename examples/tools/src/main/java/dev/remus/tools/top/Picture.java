// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import java.io.IOException;
import java.util.List;

/** What {@code top} shows: it is polled, and then printed. */
interface Picture {
    /** Reads what there is now. */
    void poll() throws IOException, InterruptedException;

    /** Whether all is there that a single picture shows, such as speeds, which need two polls. */
    boolean isComplete();

    /** The lines to show; empty if there are none. */
    List<String> lines();

    /** Whether there is no cluster. */
    boolean isEmpty();

    /** What to print then. */
    String none();

    /** Whether something is wrong beside the clusters, such as a machine that cannot be reached. */
    default boolean hasTrouble() {
        return false;
    }

    /** Forgets the clusters that have ended: in a log, they are printed once. */
    void forgetEnded();
}
