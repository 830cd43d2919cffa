// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ThreadKind;
import dev.remus.fabric.VirtualThreads;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Structures whose threads wait for an emulated latency, and are virtual if Java has virtual threads. */
@Tag("oldest-jdk")
@Timeout(180)
class OverlapTest {
    private static ClusterConfig config() {
        return TestCluster.config(1, 2, 6)
                .threadKind(VirtualThreads.exist() ? ThreadKind.VIRTUAL : ThreadKind.PLATFORM)
                .emulatedLatency("1")
                .checkMemory(true)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void listsBalanceTheirBooks(ListKind kind) throws Exception {
        ListSetThreadsTest.hammer(kind, config(), 8);
    }

    @Test
    void theLockFreeQueueBalancesItsBooks() throws Exception {
        LockFreeQueueThreadsTest.hammer(config(), Long.BYTES, 2_000); // all compete for two words, at 1 µs each
    }
}
