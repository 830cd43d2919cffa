// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import java.io.IOException;

/** Another map, on which the threads of one process repeat the workload of an experiment. */
interface KvPeer extends AutoCloseable {
    /** The map as one thread uses it. */
    KvStore connect() throws IOException;

    /** Counts the keys and adds up their values, while no thread uses the map. */
    KvFound count() throws IOException;

    /** Ends what was started. */
    @Override
    void close() throws IOException;
}
