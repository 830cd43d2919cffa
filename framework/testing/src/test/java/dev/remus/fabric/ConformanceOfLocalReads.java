// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** The guarantees of a fabric that lets a node that is both read words of its own memory by loads. */
interface ConformanceOfLocalReads extends FabricUnderTest {
    @Test
    default void aLoadReturnsPlacedValuesAndOnlyTheSameNodeIsOfferedLoads() {
        MemoryEndpoint memory = cluster().memory(1);
        ComputeEndpoint both = cluster().openCompute(1);
        Link own = both.connect(1, 1, TestEndpoints.PATIENCE);
        ComputeEndpoint another = cluster().openCompute(2);
        Link foreign = another.connect(1, 1, TestEndpoints.PATIENCE);
        assertThat(foreign.localSegments()).isNull();
        LocalSegments loads = own.localSegments();
        assumeTrue(loads != null, "this fabric offers no loads");

        Caller other = new TestClient(another, foreign).caller(0);
        long last = TestEndpoints.SEGMENT_BYTES - 8;
        assertThat(loads.isOpen()).isTrue();
        for (long i = 1; i <= 100; i++) {
            other.write(1, last, i);
            assertThat(loads.read(1, last)).isEqualTo(i);
            other.fetchAndAdd(0, 64, 2);
            assertThat(loads.read(0, 64)).isEqualTo(2 * i);
            assertThat(other.compareAndSwap(0, 64, -1, 5)).isEqualTo(2 * i);
            assertThat(loads.read(0, 64)).isEqualTo(2 * i);
            assertThat(loads.read(0, 72)).isZero();
        }
        memory.close();
        assertThat(loads.isOpen()).isFalse();
        loads.read(1, last); // the value has no meaning, but the load is harmless
    }
}
