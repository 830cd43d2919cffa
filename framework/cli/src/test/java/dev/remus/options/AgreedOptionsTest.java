// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.Agreement;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.Setting;
import dev.remus.fabric.FabricException;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import dev.remus.node.TestCluster;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every option of the framework either must be the same on all nodes, which the nodes compare, or may differ. */
@Tag("oldest-jdk")
@Timeout(120)
class AgreedOptionsTest {
    private static final Map<String, String> ALL = Map.of(
            "--first-mn-id", "0",
            "--last-mn-id", "1",
            "--first-cn-id", "1",
            "--last-cn-id", "4",
            "--mn-port", "18515",
            "--cn-threads", "2",
            "--connect-timeout", "20");

    /** What all nodes must agree on, with another value each. */
    private static final Map<String, String> COMPARED = Map.ofEntries(
            Map.entry("--first-mn-id", "1"),
            Map.entry("--last-mn-id", "0"),
            Map.entry("--first-cn-id", "2"),
            Map.entry("--last-cn-id", "3"),
            Map.entry("--cn-threads", "3"),
            Map.entry("--seg-size", "19"),
            Map.entry("--segs-per-mn", "3"),
            Map.entry("--check-memory", ""),
            Map.entry("--reclaim", "barrier"),
            Map.entry("--on-node-loss", "continue"),
            Map.entry("--returns", "1"),
            Map.entry("--loss-timeout", "11"));

    /** What all Compute Nodes must agree on, with another value each. */
    private static final Map<String, String> AMONG_COMPUTE_NODES = Map.of("--latency", "1");

    private static final Map<String, String> NEEDED_BY_RETURNS = Map.of("--on-node-loss", "continue");

    /** With other values, a node joins another cluster, or finds none. */
    private static final Set<String> WHICH_CLUSTER = Set.of("--fabric", "--cluster", "--mn-port");

    /** What may differ, with another value each. */
    private static final Map<String, String> PER_NODE = new HashMap<>(Map.of(
            "--node-id", "3",
            "--hosts", "a,b,c,d,e",
            "--host-pattern", "other%d",
            "--connect-timeout", "19",
            "--alloc-pol", "RAND",
            "--qp-lanes", "3",
            "--qp-sched-pol", "RR",
            "--cn-thread-bufsz", "15",
            "--cn-ops-per-thread", "3"));

    static {
        PER_NODE.put("--alloc-wait", "7");
        PER_NODE.put("--cn-cache-records", "7");
        PER_NODE.put("--cn-thread-kind", "platform"); // the other kind needs Java 21
        PER_NODE.put("--cn-cores", "0");
        PER_NODE.put("--cluster-secret", "none"); // its contents are compared, on verbs
        PER_NODE.put("--ack-timeout", "14");
        PER_NODE.put("--retry-count", "5");
        PER_NODE.put("--rnr-retry-count", "5");
        PER_NODE.put("--traffic-class", "104");
        PER_NODE.put("--device", "mlx5_0:1");
        PER_NODE.put("--gid-index", "3");
        PER_NODE.put("--kill-silent", "7");
        PER_NODE.put("--out", "elsewhere");
    }

    private final String cluster = TestCluster.uniqueName();

    private static List<OptionSpec<?>> specs() {
        return Arrays.stream(RemusOptions.groups())
                .flatMap(group -> group.specs().stream())
                .collect(Collectors.toList());
    }

    static Set<String> compared() {
        return new TreeSet<>(COMPARED.keySet());
    }

    static Set<String> amongComputeNodes() {
        return new TreeSet<>(AMONG_COMPUTE_NODES.keySet());
    }

    static Set<String> perNode() {
        return new TreeSet<>(PER_NODE.keySet());
    }

    /** All options, with some of a program. */
    private ClusterConfig config(OptionGroup own, Map<String, String> changed) {
        Map<String, String> words = new LinkedHashMap<>(ALL);
        words.put("--node-id", "0");
        words.put("--cluster", cluster);
        words.putAll(changed);
        String[] line = words.entrySet().stream()
                .map(e -> e.getKey() + (e.getValue().isEmpty() ? "" : "=" + e.getValue()))
                .toArray(String[]::new);
        OptionSet set = new OptionSet("test", "A test.").include(RemusOptions.groups());
        return RemusOptions.clusterConfig(set.include(own).parse(line));
    }

    private ClusterConfig config(Map<String, String> changed) {
        return config(new OptionGroup("None"), changed);
    }

    private static boolean isCompared(String option) {
        return COMPARED.containsKey(option) || AMONG_COMPUTE_NODES.containsKey(option);
    }

    @Test
    void everyOptionIsEitherComparedOrPerNodeOrDecidesWhichClusterANodeJoins() {
        for (OptionSpec<?> spec : specs()) {
            assertThat(spec.isPerNode()).as(spec.name()).isEqualTo(PER_NODE.containsKey(spec.name()));
            assertThat(isCompared(spec.name()) || WHICH_CLUSTER.contains(spec.name()))
                    .as(spec.name())
                    .isNotEqualTo(spec.isPerNode());
        }
    }

    @Test
    void theTableOfSettingsDeclaresTheSame() {
        for (Setting<?> setting : ClusterSettings.all()) {
            boolean isCompared = isCompared(setting.option());
            boolean isPerNode = PER_NODE.containsKey(setting.option());
            assertThat(setting.agreement() == Agreement.PER_NODE).isEqualTo(isPerNode);
            assertThat(setting.agreement() == Agreement.NAMES_CLUSTER).isEqualTo(!isCompared && !isPerNode);
            assertThat(setting.agreement() == Agreement.COMPUTE_NODES)
                    .isEqualTo(AMONG_COMPUTE_NODES.containsKey(setting.option()));
        }
    }

    @ParameterizedTest
    @MethodSource("compared")
    void aNodeWithAnotherValueOfAComparedOptionIsRefusedByItsName(String option) {
        Map<String, String> words = new HashMap<>(option.equals("--returns") ? NEEDED_BY_RETURNS : Map.of());
        ClusterConfig memory = config(words);
        words.put(option, COMPARED.get(option));
        ClusterConfig compute = config(words);
        try (MemoryNode first = MemoryNode.start(memory, 0);
                MemoryNode second = MemoryNode.start(memory, 1)) {
            assertThat(List.of(first.id(), second.id())).containsExactly(0, 1);
            assertThatThrownBy(() -> ComputeNode.connect(compute, compute.lastComputeNode()))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining(option);
        }
    }

    @ParameterizedTest
    @MethodSource("amongComputeNodes")
    void anOptionThatComputeNodesShareMayDifferOnMemoryNodesAndIsRefusedByItsNameOnAComputeNode(String option) {
        OptionGroup own = new OptionGroup("Own", OptionSpec.text("--own", "text", "A test"));
        ClusterConfig memory = config(own, Map.of());
        ClusterConfig compute = config(own, Map.of(option, AMONG_COMPUTE_NODES.get(option)));
        try (MemoryNode first = MemoryNode.start(memory, 0);
                MemoryNode second = MemoryNode.start(memory, 1);
                ComputeNode node = ComputeNode.connect(compute, 2);
                ComputeNode other = ComputeNode.connect(compute, 3)) {
            assertThat(List.of(first.id(), second.id(), node.id(), other.id())).containsExactly(0, 1, 2, 3);
            assertThatThrownBy(() -> ComputeNode.connect(memory, 4))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("(" + option + ")");
        }
    }

    @ParameterizedTest
    @MethodSource("perNode")
    void aNodeWithAnotherValueOfAPerNodeOptionJoins(String option) {
        ClusterConfig memory = config(Map.of());
        ClusterConfig compute = config(Map.of(option, PER_NODE.get(option)));
        try (MemoryNode first = MemoryNode.start(memory, 0);
                MemoryNode second = MemoryNode.start(memory, 1);
                ComputeNode node = ComputeNode.connect(memory, 2);
                ComputeNode other = ComputeNode.connect(compute, 3)) {
            assertThat(List.of(first.id(), second.id(), node.id(), other.id())).containsExactly(0, 1, 2, 3);
        }
    }

    /** More options than there are words to compare them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 15, 16, 39})
    void anOptionOfTheProgramIsComparedByItsNameAndTheOthersLearnIt(int which) {
        OptionSpec<?>[] specs = IntStream.range(0, 40)
                .mapToObj(i -> OptionSpec.text("--own-" + i, "text", "A test"))
                .toArray(OptionSpec<?>[]::new);
        OptionGroup own = new OptionGroup("Own", specs);
        ClusterConfig one = config(own, Map.of("--own-" + which, "x"));
        try (MemoryNode first = MemoryNode.start(config(Map.of()), 0);
                MemoryNode second = MemoryNode.start(config(Map.of()), 1);
                ComputeNode node = ComputeNode.connect(one, 2)) {
            assertThatThrownBy(() -> ComputeNode.connect(config(own, Map.of()), 3))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("--own-" + which)
                    .hasMessageContaining("here it is not given");
            ComputeNode.connect(one, 4).close();
            node.close();
            assertThatThrownBy(first::awaitFinished)
                    .hasMessageStartingWith("Compute Node 3 failed: ")
                    .hasMessageContaining("--own-" + which);
            assertThat(second.id()).isOne();
        }
    }

    @Test
    void anOptionOfTheProgramThatIsPerNodeIsNotCompared() {
        OptionGroup own = new OptionGroup(
                "Own", OptionSpec.text("--own", "text", "A test").perNode());
        try (MemoryNode first = MemoryNode.start(config(Map.of()), 0);
                MemoryNode second = MemoryNode.start(config(Map.of()), 1);
                ComputeNode node = ComputeNode.connect(config(own, Map.of("--own", "a")), 2);
                ComputeNode other = ComputeNode.connect(config(own, Map.of("--own", "b")), 3)) {
            assertThat(List.of(first.id(), second.id(), node.id(), other.id())).containsExactly(0, 1, 2, 3);
        }
    }
}
