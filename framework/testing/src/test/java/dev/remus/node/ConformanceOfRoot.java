// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import org.junit.jupiter.api.Test;

/** The guarantees of the calls that change the root, on every fabric. */
public interface ConformanceOfRoot {
    /** Like {@link ConformanceOfAsyncOperations#runOneThread}. */
    void runOneThread(int operations, ComputeNode.Body body) throws Exception;

    @Test
    default void theRootIsSetComparedSwappedAndAddedTo() throws Exception {
        runOneThread(8, ct -> {
            RdmaPtr<Object> none = RdmaPtr.nullPointer();
            RdmaPtr<Object> first = new RdmaPtr<>(ct.allocate(64));
            RdmaPtr<Object> second = new RdmaPtr<>(ct.allocate(64));
            assertThat(ct.root().compareAndSet(first, second)).isFalse();
            assertThat(ct.root().get()).isEqualTo(none);
            assertThat(ct.root().compareAndSet(none, first)).isTrue();
            assertThat(ct.root().compareAndExchange(none, second)).isEqualTo(first);
            assertThat(ct.root().get()).isEqualTo(first);
            assertThat(ct.root().compareAndExchange(first, second)).isEqualTo(first);
            assertThat(ct.root().getAndSet(first)).isEqualTo(second);
            ct.root().set(none);
            assertThat(ct.root().getAndSet(none)).isEqualTo(none);
            assertThat(ct.root().fetchAndAdd(5)).isZero();
            assertThat(ct.root().fetchAndAdd(-6)).isEqualTo(5);
            assertThat(ct.root().fetchAndAdd(1)).isEqualTo(-1);
            assertThat(ct.root().get()).isEqualTo(none);
        });
    }
}
