package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import org.junit.jupiter.api.Test;

/** What the calls that change the root promise, on every fabric. */
public interface ConformanceOfRoot {
    /** As {@link ConformanceOfAsyncOperations#runOneThread}. */
    void runOneThread(int operations, ComputeNode.Body body) throws Exception;

    @Test
    default void theRootIsSetComparedSwappedAndAddedTo() throws Exception {
        runOneThread(8, ct -> {
            RdmaPtr<Object> none = RdmaPtr.nullPointer();
            RdmaPtr<Object> first = new RdmaPtr<>(ct.allocate(64));
            RdmaPtr<Object> second = new RdmaPtr<>(ct.allocate(64));
            assertThat(ct.compareAndSetRoot(first, second)).isFalse();
            assertThat(ct.getRoot()).isEqualTo(none);
            assertThat(ct.compareAndSetRoot(none, first)).isTrue();
            assertThat(ct.compareAndExchangeRoot(none, second)).isEqualTo(first);
            assertThat(ct.getRoot()).isEqualTo(first);
            assertThat(ct.compareAndExchangeRoot(first, second)).isEqualTo(first);
            assertThat(ct.getAndSetRoot(first)).isEqualTo(second);
            ct.setRoot(none);
            assertThat(ct.getAndSetRoot(none)).isEqualTo(none);
            assertThat(ct.fetchAddRoot(5)).isZero();
            assertThat(ct.fetchAddRoot(-6)).isEqualTo(5);
            assertThat(ct.fetchAddRoot(1)).isEqualTo(-1);
            assertThat(ct.getRoot()).isEqualTo(none);
        });
    }
}
