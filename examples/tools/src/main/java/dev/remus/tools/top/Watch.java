// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import java.io.IOException;
import java.util.Optional;

/** Watches one run of a cluster from outside, beyond its end. */
interface Watch extends AutoCloseable {
    /** Reads the state of the run; empty if there is none, and once it has ended. */
    Optional<Look> look() throws IOException;

    /** Whether a run was seen and has ended since. */
    boolean hasEnded();

    /** The node that was lost first, as far as is known. */
    Optional<Lost> lost() throws IOException;

    /** Reads words of remote memory; empty if they cannot be read. */
    Optional<long[]> words(long pointer, int count) throws IOException;

    @Override
    void close() throws IOException;
}
