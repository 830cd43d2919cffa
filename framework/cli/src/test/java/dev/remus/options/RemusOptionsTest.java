// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The framework's own options and the configuration that they add up to. */
@Tag("any-jdk")
class RemusOptionsTest {
    private static final OptionSet SET = new OptionSet("prog", "Does something.").include(RemusOptions.groups());

    private static final Map<String, String> REQUIRED = Map.of(
            "--node-id", "1",
            "--first-mn-id", "0",
            "--last-mn-id", "1",
            "--first-cn-id", "1",
            "--last-cn-id", "2",
            "--mn-port", "33330",
            "--cn-threads", "3");

    /** The required options and others, as name and value in turn; what is given twice counts the last time. */
    private static Arguments parse(String... namesAndValues) {
        Map<String, String> options = new LinkedHashMap<>(REQUIRED);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            options.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        List<String> words = new ArrayList<>();
        options.forEach((name, value) -> words.add(name + "=" + value));
        return SET.parse(words.toArray(new String[0]));
    }

    private static String refusal(String... namesAndValues) {
        UsageException refusal =
                catchThrowableOfType(UsageException.class, () -> RemusOptions.nodeId(parse(namesAndValues)));
        assertThat(refusal)
                .as("the refusal of %s", String.join(" ", namesAndValues))
                .isNotNull();
        return refusal.getMessage();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--node-id",
                "--first-mn-id",
                "--last-mn-id",
                "--first-cn-id",
                "--last-cn-id",
                "--mn-port",
                "--cn-threads"
            })
    void theRequiredOptionsAreThoseOfTheOriginal(String name) {
        Map<String, String> others = new LinkedHashMap<>(REQUIRED);
        others.remove(name);
        UsageException refusal = catchThrowableOfType(UsageException.class, () -> SET.parse(others));

        assertThat(refusal).hasMessageStartingWith("prog: missing " + name + " ");
    }

    @Test
    void theOtherOptionsHaveTheDefaultsOfTheOriginalAndOfShm() {
        Map<String, String> defaults = new LinkedHashMap<>(parse().toMap());
        defaults.keySet().removeAll(REQUIRED.keySet());

        assertThat(defaults)
                .containsExactly(
                        Map.entry("--fabric", "shm"),
                        Map.entry("--cluster", "remus"),
                        Map.entry("--cluster-secret", "none"),
                        Map.entry("--host-pattern", "node%d"),
                        Map.entry("--connect-timeout", "60"),
                        Map.entry("--seg-size", "20"),
                        Map.entry("--segs-per-mn", "2"),
                        Map.entry("--alloc-pol", "GLOBAL-RR"),
                        Map.entry("--alloc-wait", "10"),
                        Map.entry("--cn-thread-kind", "platform"),
                        Map.entry("--cn-cores", "0"),
                        Map.entry("--qp-lanes", "0"),
                        Map.entry("--qp-sched-pol", "MOD"),
                        Map.entry("--cn-thread-bufsz", "20"),
                        Map.entry("--cn-ops-per-thread", "8"),
                        Map.entry("--cn-cache-records", "65536"),
                        Map.entry("--ack-timeout", "0"),
                        Map.entry("--retry-count", "6"),
                        Map.entry("--rnr-retry-count", "7"),
                        Map.entry("--traffic-class", "0"),
                        Map.entry("--device", "any"),
                        Map.entry("--gid-index", "-1"),
                        Map.entry("--latency", "none"),
                        Map.entry("--on-node-loss", "abort"),
                        Map.entry("--returns", "0"),
                        Map.entry("--reclaim", "epochs"),
                        Map.entry("--loss-timeout", "10"),
                        Map.entry("--kill-silent", "0"),
                        Map.entry("--check-memory", "false"),
                        Map.entry("--out", "results"));
    }

    @Test
    void theDefaultsOfTheCommandLineAreThoseOfTheConfiguration() {
        assertThat(RemusOptions.clusterConfig(parse()))
                .isEqualTo(ClusterConfig.builder()
                        .memoryNodes(0, 1)
                        .computeNodes(1, 2)
                        .memoryPort(33330)
                        .threadsPerNode(3)
                        .build());
    }

    @Test
    void everyOptionArrivesInTheConfiguration() {
        Map<String, String> instead = new LinkedHashMap<>(REQUIRED);
        instead.put("--first-cn-id", "0");
        instead.put("--last-cn-id", "1");
        Arguments arguments = SET.parse(
                instead,
                "--fabric=verbs",
                "--cluster=mine",
                "--cluster-secret=/etc/secret",
                "--hosts=a,b",
                "--connect-timeout=5",
                "--loss-timeout=6",
                "--kill-silent=8",
                "--seg-size=29",
                "--segs-per-mn=4",
                "--alloc-pol=LOCAL-MOD",
                "--alloc-wait=12",
                "--cn-thread-kind=platform",
                "--cn-cores=0",
                "--qp-lanes=6",
                "--qp-sched-pol=ONE_TO_ONE",
                "--cn-thread-bufsz=13",
                "--cn-ops-per-thread=7",
                "--cn-cache-records=11",
                "--latency=7",
                "--on-node-loss=continue",
                "--returns=2",
                "--check-memory",
                "--out=elsewhere");

        assertThat(RemusOptions.clusterConfig(arguments))
                .isEqualTo(ClusterConfig.builder()
                        .fabric("verbs")
                        .cluster("mine")
                        .hosts(List.of("a", "b"))
                        .memoryNodes(0, 1)
                        .computeNodes(0, 1)
                        .memoryPort(33330)
                        .threadsPerNode(3)
                        .connectTimeout(Duration.ofSeconds(5))
                        .lossTimeout(Duration.ofSeconds(6))
                        .killSilent(Duration.ofSeconds(8))
                        .returns(2)
                        .segmentSizeLog2(29)
                        .segmentsPerNode(4)
                        .allocationPolicy(AllocationPolicy.LOCAL_MOD)
                        .allocationWait(Duration.ofSeconds(12))
                        .lanes(6)
                        .lanePolicy(LanePolicy.ONE_TO_ONE)
                        .threadBufferLog2(13)
                        .opsPerThread(7)
                        .cacheRecords(11)
                        .emulatedLatency("7")
                        .clusterSecret("/etc/secret")
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .checkMemory(true)
                        .build());
        assertThat(arguments.get(RemusOptions.OUT)).isEqualTo(Path.of("elsewhere"));
    }

    @Test
    void theHostPatternArrivesInTheConfiguration() {
        assertThat(RemusOptions.clusterConfig(parse("--host-pattern", "apt%d")).host(2))
                .isEqualTo("apt2");
    }

    @ParameterizedTest
    @CsvSource({
        "--node-id, 0, 1023",
        "--first-mn-id, 0, 1023",
        "--last-mn-id, 0, 1023",
        "--first-cn-id, 0, 1023",
        "--last-cn-id, 0, 1023",
        "--mn-port, 1, 65535",
        "--cn-threads, 1, 4096",
        "--connect-timeout, 1, 3600",
        "--alloc-wait, 0, 3600",
        "--loss-timeout, 1, 120",
        "--kill-silent, 0, 3600",
        "--seg-size, 12, 36",
        "--segs-per-mn, 1, 64",
        "--qp-lanes, 0, 64",
        "--cn-thread-bufsz, 12, 30",
        "--cn-ops-per-thread, 1, 1024",
        "--cn-cache-records, 0, 1048576",
        "--ack-timeout, 0, 31",
        "--retry-count, 0, 7",
        "--rnr-retry-count, 0, 7",
        "--traffic-class, 0, 255",
        "--gid-index, -1, 1023"
    })
    void everyNumberIsAcceptedAtBothEndsOfItsRangeAndRefusedBeyond(String name, long min, long max) {
        assertThat(parse(name, Long.toString(min)).toMap()).containsEntry(name, Long.toString(min));
        assertThat(parse(name, Long.toString(max)).toMap()).containsEntry(name, Long.toString(max));
        String unit = Set.of("--connect-timeout", "--loss-timeout", "--kill-silent", "--alloc-wait")
                        .contains(name)
                ? "of seconds "
                : "";
        String needs = ", needs a whole number " + unit + "from " + min + " to " + max;
        assertThat(refusal(name, Long.toString(min - 1)))
                .isEqualTo("prog: " + name + ": got '" + (min - 1) + "'" + needs);
        assertThat(refusal(name, Long.toString(max + 1)))
                .isEqualTo("prog: " + name + ": got '" + (max + 1) + "'" + needs);
    }

    @Test
    void optionsThatContradictEachOtherAreRefusedInTheWordsOfTheCommandLine() {
        assertThat(refusal("--alloc-pol", "LOCAL-RR"))
                .startsWith("prog: --alloc-pol: got 'LOCAL-RR', needs every node");
        assertThat(refusal("--last-mn-id", "3")).startsWith("prog: --last-mn-id: got '3', needs at most --last-cn-id");
        assertThat(refusal("--cluster", ".x")).startsWith("prog: --cluster: got '.x', needs ");
    }

    @Test
    void hostsAndAPatternForThemContradictEachOther() {
        assertThat(refusal("--hosts", "a,b,c", "--host-pattern", "n%d"))
                .startsWith("prog: --host-pattern: got 'n%d', needs to be left out when --hosts is given");
    }

    @Test
    void theNodeIdIsInOneOfTheRanges() {
        assertThat(RemusOptions.nodeId(parse("--node-id", "0"))).isZero();
        assertThat(RemusOptions.nodeId(parse("--node-id", "2"))).isEqualTo(2);
        assertThat(refusal("--node-id", "3"))
                .isEqualTo("prog: --node-id: got '3', needs a Memory Node id from 0 to 1"
                        + " or a Compute Node id from 1 to 2");
        assertThat(refusal("--node-id", "0", "--first-mn-id", "1")).startsWith("prog: --node-id: got '0'");
    }

    @Test
    void theGroupsAreThoseThatTheDocumentationNames() {
        assertThat(Arrays.stream(RemusOptions.groups()).map(OptionGroup::title))
                .containsExactly("Cluster", "Memory", "Lanes and threads", "RDMA connections", "Behaviour");
    }

    @Test
    void aProgramThatChangesTheArrayOfGroupsDoesNotChangeTheOptions() {
        RemusOptions.groups()[0] = null;

        assertThat(RemusOptions.groups()).doesNotContainNull();
    }
}
