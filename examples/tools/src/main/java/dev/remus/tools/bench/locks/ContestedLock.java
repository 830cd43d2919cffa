// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import dev.remus.node.ComputeThread;
import java.io.IOException;

/** A lock for which the threads of one cluster compete. */
interface ContestedLock extends AutoCloseable {
    /** A thread's access to the lock. */
    interface User {
        /** Acquires the lock, as a reader if the lock has readers. */
        void acquire(boolean reads);

        /** Releases it. */
        void release(boolean reads);
    }

    /** Makes what the threads share in remote memory. To be called by one thread, before the others open the lock. */
    default void create(ComputeThread ct) {}

    /** Makes a thread's access. */
    User open(ComputeThread ct) throws IOException;

    @Override
    default void close() throws IOException {}
}
