// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.Agreement;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.shm.ShmFabric;
import dev.remus.fuzz.Fuzz;
import dev.remus.memory.ClusterWord;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Segment headers and cluster words are random or changed: a Compute Node throws nothing but a {@link FabricException},
 * and accepts no other layout than its own. A million headers: {@code -Dremus.fuzz=1000000}.
 */
@Tag("any-jdk")
@Timeout(600)
class FuzzedSegmentHeaderTest {
    private final ClusterConfig config =
            TestCluster.config(1, 2, 3).segmentsPerNode(1).segmentSizeLog2(16).build();
    private final SegmentLayout layout = new SegmentLayout(config);
    private final int clusterWord = (int) RdmaPtr.offset(layout.cluster(0));
    private final int returns = (int) RdmaPtr.offset(layout.returns(0));

    private final int[] offsets = {SegmentHeader.MAGIC, SegmentHeader.SIZE, SegmentHeader.END, clusterWord, returns};

    private final long[] sound = {
        SegmentHeader.MAGIC_AND_VERSION, config.segmentBytes(), layout.end(0), ClusterWord.of(config), 0
    };

    @Test
    void noOtherLayoutIsAccepted() {
        SplittableRandom random = Fuzz.random(75);
        ShmFabric fabric = new ShmFabric();
        int accepted = 0;
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            memory.publish();
            Link link = compute.connect(0, 1, Duration.ofSeconds(60));
            BlockingOperations direct = compute.directOperations(List.of(link)).orElseThrow();
            for (int i = Fuzz.times(1_000_000); i > 0; i--) {
                for (int w = 0; w < offsets.length; w++) {
                    memory.set(0, offsets[w], change(sound[w], random));
                }
                accepted += isAccepted(memory, link, direct) ? 1 : 0;
            }
        }
        assertThat(accepted).as("headers without a change").isPositive();
    }

    private static long change(long word, SplittableRandom random) {
        return switch (random.nextInt(16)) {
            case 0 -> Fuzz.weird(random);
            case 1 -> word ^ 1L << random.nextInt(64);
            case 2 -> word + random.nextInt(-3, 4);
            default -> word;
        };
    }

    private boolean isAccepted(MemoryEndpoint memory, Link link, BlockingOperations direct) {
        OfferCheck check = new OfferCheck(config, direct);
        try {
            check.checkLayout(link);
            check.checkCompared();
        } catch (FabricException e) {
            assertThat(e.getMessage()).contains("Memory Node 0");
            return false;
        }
        for (int w = 0; w < 3; w++) {
            assertThat(memory.get(0, offsets[w])).isEqualTo(sound[w]);
        }
        long theirs = memory.get(0, clusterWord);
        for (Agreement agreement : Agreement.values()) {
            assertThat(ClusterWord.differences(theirs, sound[3], agreement)).isEmpty();
        }
        return true;
    }
}
