// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fuzz.Fuzz;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random configurations are valid or rejected. */
@Timeout(300)
class RandomConfigTest {
    private static final List<String> TEXTS =
            List.of("", " ", "a", "..", "a/b", "%d", "%d%d", "\0", "é", "x".repeat(300));

    @Test
    void anyConfigurationIsValidOrRejectedByTheNameOfASetting() {
        SplittableRandom random = Fuzz.random(2);
        int valid = 0;
        for (int i = Fuzz.times(100_000); i > 0; i--) {
            try {
                ClusterConfig config = change(random).build();
                assertThat(config.segmentBytes()).isPositive();
                assertThat(config.totalThreads()).isPositive();
                assertThat(config.host(config.lowestNode())).isNotBlank();
                assertThat(config.toBuilder().build()).isEqualTo(config);
                valid++;
            } catch (InvalidConfigException e) {
                assertThat(e.commandLineMessage()).startsWith(e.option() + ": got '");
                assertThat(e).hasMessageContaining(": got '");
            }
        }
        assertThat(valid).isPositive();
    }

    private static ClusterConfig.Builder change(SplittableRandom random) {
        ClusterConfig.Builder builder = ClusterConfig.builder()
                .memoryNodes(0, random.nextInt(3))
                .computeNodes(random.nextInt(3), 3)
                .segmentSizeLog2(20);
        for (int i = random.nextInt(4); i > 0; i--) {
            int value = random.nextBoolean() ? (int) Fuzz.weird(random) : random.nextInt(70);
            String text = TEXTS.get(random.nextInt(TEXTS.size()));
            switch (random.nextInt(15)) {
                case 0 -> builder.memoryNodes(value, (int) Fuzz.weird(random));
                case 1 -> builder.computeNodes(value, value + random.nextInt(5));
                case 2 -> builder.memoryPort(value);
                case 3 -> builder.threadsPerNode(value);
                case 4 -> builder.segmentSizeLog2(value);
                case 5 -> builder.segmentsPerNode(value);
                case 6 -> builder.lanes(value);
                case 7 -> builder.threadBufferLog2(value);
                case 8 -> builder.opsPerThread(value);
                case 9 -> builder.cluster(text);
                case 10 -> builder.hosts(List.of(text, "b", text));
                case 11 -> builder.hostPattern(text);
                case 12 -> builder.cacheRecords(value);
                case 13 -> builder.cores(value).threadKind(ThreadKind.values()[random.nextInt(2)]);
                default ->
                    builder.connectTimeout(Duration.ofNanos(Fuzz.weird(random)))
                            .allocationWait(Duration.ofNanos(Fuzz.weird(random)))
                            .allocationPolicy(
                                    AllocationPolicy.values()[random.nextInt(AllocationPolicy.values().length)]);
            }
        }
        return builder;
    }
}
