// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.kv.KeyChoice.Distribution;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KvOptionsTest {
    private static KvWorkload workload(String... args) {
        return KvOptions.workload(parse(args));
    }

    static Arguments parse(String... args) {
        return new OptionSet("test", "A test.")
                .include(RemusOptions.groups())
                .include(KvOptions.group())
                .parse(
                        Map.of(
                                "--node-id", "0",
                                "--first-mn-id", "0",
                                "--last-mn-id", "0",
                                "--first-cn-id", "1",
                                "--last-cn-id", "2",
                                "--mn-port", "18515",
                                "--cn-threads", "2"),
                        args);
    }

    private static void assertRefused(String message, String... args) {
        assertThatThrownBy(() -> workload(args))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }

    @Test
    void theDefaultIsWorkloadBOfYcsb() {
        assertThat(workload("--seed", "3"))
                .isEqualTo(new KvWorkload(
                        RunLength.ofOperations(50_000),
                        0,
                        KvMap.HASH,
                        10_000,
                        8,
                        new KvMix(5, 0, 0, 0),
                        100,
                        new KeyChoice(Distribution.ZIPFIAN, 0.99, 20, 80),
                        0,
                        3,
                        true));
    }

    @Test
    void theDefaultsOfEachWorkloadFitIntoTheDefaultMemory() {
        for (YcsbWorkload ycsb : YcsbWorkload.values()) {
            for (KvMap map : KvMap.values()) {
                if (map.isOrdered() || ycsb != YcsbWorkload.E) {
                    assertThat(workload("--map", map.toString(), "--workload", ycsb.toString())
                                    .mix())
                            .isEqualTo(ycsb.mix());
                }
            }
        }
    }

    @Test
    void scansNeedAnOrderedMap() {
        String needed = "', needs --map tree, since the others do not scan";
        assertRefused("--workload: got 'e" + needed, "--workload", "e");
        assertRefused("--scan: got '10" + needed, "--scan", "10", "--map", "hash");
        assertThat(workload("--scan", "10", "--scan-length", "7", "--map", "tree"))
                .satisfies(workload -> {
                    assertThat(workload.mix()).isEqualTo(new KvMix(0, 0, 0, 0, 10));
                    assertThat(workload.mix()).hasToString("90 % read, 10 % scan");
                    assertThat(workload.scanLength()).isEqualTo(7);
                });
        assertRefused("--scan-length", "--scan-length", "0");
        assertRefused("at most 100 percent together", "--update", "60", "--scan", "41", "--map", "tree");
    }

    @Test
    void anOrderedMapHasOnlyBaselinesWithAnOrderAndRedisOnlyShortValues() {
        assertThatThrownBy(
                        () -> KvOptions.baselines(parse("--map", "tree", "--value-bytes", "9", "--baseline", "redis")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("needs values of 8 bytes for redis with --map tree");
        assertThat(KvOptions.baselines(parse("--map", "tree", "--baseline", "heap")))
                .containsExactly(KvBaseline.HEAP);
        assertThatThrownBy(() -> KvOptions.baselines(parse("--map", "tree", "--baseline", "hazelcast")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("needs heap or redis with --map tree");
    }

    @Test
    void recordsOfAnOrderedMapThatDoNotFitAreRefused() {
        assertRefused("lower it, or raise --seg-size to 25", "--map", "tree", "--records", "1000000");
        assertThat(workload("--map", "tree", "--records", "1000000", "--seg-size", "25")
                        .records())
                .isEqualTo(1_000_000);
    }

    @Test
    void readsAreTheRestOfAMix() {
        assertThat(workload("--update", "10", "--rmw", "5").mix()).isEqualTo(new KvMix(10, 0, 5, 0));
        assertThat(workload("--read", "100").mix().read()).isEqualTo(100);
        assertRefused("--read: got '50', needs 90", "--read", "50", "--update", "10");
        assertRefused("at most 100 percent together", "--update", "60", "--remove", "41");
    }

    @Test
    void theDistributionIsThatOfTheWorkloadUnlessItIsGiven() {
        assertThat(workload("--workload", "d").choice().distribution()).isEqualTo(Distribution.LATEST);
        assertThat(workload("--workload", "d", "--distribution", "uniform")
                        .choice()
                        .distribution())
                .isEqualTo(Distribution.UNIFORM);
    }

    @Test
    void anInvalidSkewIsRefused() {
        for (String skew : new String[] {"0", "-1", "one", "10.1", "0.00", "1e3"}) {
            assertRefused("--skew: got '" + skew + "', needs a number above 0 and at most 10", "--skew=" + skew);
        }
        assertThat(workload("--skew", "1.25").choice().skew()).isEqualTo(1.25);
    }

    @Test
    void recordsThatDoNotFitAreRefusedWithTheWayOut() {
        assertRefused("lower it, or raise --seg-size to 26", "--records", "1000000");
        assertRefused("lower it, or raise --seg-size to 26", "--records", "1000000", "--seg-size", "25");
        assertRefused(
                "lower it, or raise --seg-size and --segs-per-mn",
                "--records",
                "1000000000",
                "--value-bytes",
                "1000000");
        assertRefused("that the run inserts", "--insert", "50", "--num-ops", "1000000");
        assertThat(workload("--records", "1000000", "--seg-size", "26").records())
                .isEqualTo(1_000_000);
        assertRefused("--value-bytes", "--value-bytes", "7");
    }

    @Test
    void baselinesAreAListOfKnownOnes() {
        assertThat(KvOptions.baselines(parse())).isEmpty();
        assertThat(KvOptions.baselines(parse("--baseline", "heap,heap"))).containsExactly(KvBaseline.HEAP);
        assertThatThrownBy(() -> KvOptions.baselines(parse("--baseline", "heap,memcached")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("needs some of heap, redis and hazelcast");
    }
}
