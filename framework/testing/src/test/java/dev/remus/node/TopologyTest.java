// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole runs, with all nodes leaving in good order. */
@Tag("oldest-jdk")
@Timeout(120)
class TopologyTest {
    /** Every thread adds to a word on each Memory Node, and reads the sums of all threads. */
    private static void countTogether(ComputeThread ct) {
        ClusterConfig config = ct.config();
        int nodes = config.memoryNodes();
        if (ct.id() == 0) {
            long directory = ct.allocate(8L * nodes);
            Set<Integer> found = new TreeSet<>();
            while (found.size() < nodes) {
                long word = ct.allocate(64);
                if (found.add(RdmaPtr.node(word))) {
                    ct.write(word, 0);
                    ct.post(directory + 8L * (found.size() - 1), word);
                }
            }
            ct.root().set(new RdmaPtr<>(directory));
        }
        ct.barrier();
        List<Long> words = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            words.add(ct.read(ct.root().get().raw() + 8L * i));
        }
        for (int i = 0; i < 10; i++) {
            for (long word : words) {
                ct.fetchAndAdd(word, 1);
            }
        }
        ct.barrier();
        for (long word : words) {
            assertThat(ct.read(word)).isEqualTo(10L * ct.threads());
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 4", "4, 2", "2, 4", "1, 1"})
    void anyNumbersOfMemoryNodesAndComputeNodesWorkTogether(int memoryNodes, int computeNodes) throws Exception {
        for (FabricKind kind : FabricKind.values()) {
            kind.cluster(TestCluster.config(memoryNodes, computeNodes, 2).build())
                    .run(TopologyTest::countTogether);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyNodeCanBeBoth(FabricKind kind) throws Exception {
        kind.cluster(TestCluster.configOfBoth(4, 2).build()).run(TopologyTest::countTogether);
    }

    @ParameterizedTest
    @EnumSource
    void idsNeedNotStartAtZero(FabricKind kind) throws Exception {
        kind.cluster(TestCluster.config(1, 1, 2)
                        .memoryNodes(5, 6)
                        .computeNodes(6, 8)
                        .build())
                .run(TopologyTest::countTogether);
    }

    @ParameterizedTest
    @EnumSource
    void twoClustersDoNotSeeEachOther(FabricKind kind) throws Exception {
        try (TestCluster one = kind.cluster(TestCluster.config(1, 1, 1).build()).start();
                TestCluster other =
                        kind.cluster(TestCluster.config(1, 1, 1).build()).start()) {
            one.runThreads(ct -> ct.root().set(RdmaPtr.of(0, 0, 64)));
            other.runThreads(ct -> assertThat(ct.root().get().isNull()).isTrue());
        }
    }
}
