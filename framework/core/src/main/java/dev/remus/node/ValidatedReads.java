// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import org.jspecify.annotations.Nullable;

/**
 * A scope in which a thread's READs may meet blocks that are free, because their caller validates what they return
 * before it relies on it. With {@code --check-memory}, such READs are reported elsewhere. WRITEs and atomics are
 * checked as always: no validation undoes them.
 *
 * <pre>{@code
 * private final ValidatedReads reads = new ValidatedReads();
 *
 * reads.begin(ct);
 * try (reads) {
 *     node.fetch(ct);                   // may be free, or another node by now
 * }
 * boolean isPopped = top.compareAndSet(seen, node.next.fetched(), ct);    // false if it is
 * }</pre>
 *
 * <p>Scopes of different objects may be nested. Costs no round trip, and nothing is allocated.
 */
public final class ValidatedReads implements AutoCloseable {
    private @Nullable CheckedMemory memory;
    private boolean before;

    /** Makes a scope that is not begun. */
    public ValidatedReads() {}

    /**
     * Begins the scope, for this thread's READs until {@link #close}.
     *
     * @throws IllegalStateException if it has begun
     */
    public void begin(ComputeThread ct) {
        if (memory != null) {
            throw new IllegalStateException("this scope of validated READs has begun already");
        }
        memory = ct.parts.checked;
        before = memory.setValidatesReads(true);
    }

    /** Ends the scope. */
    @Override
    public void close() {
        if (memory != null) {
            memory.setValidatesReads(before);
            memory = null;
        }
    }
}
