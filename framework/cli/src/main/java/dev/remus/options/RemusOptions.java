// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.InvalidConfigException;
import dev.remus.config.Setting;
import dev.remus.config.SettingGroup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The options of the framework, which every program includes: one for each of the {@link ClusterSettings}, the id of
 * this process and the folder for results. Settings that programs read or set by themselves are constants here.
 */
public final class RemusOptions {
    private static final Map<Setting<?>, OptionSpec<?>> OPTIONS = options();

    /** The id of this process. */
    public static final OptionSpec<Long> NODE_ID = OptionSpec.integer(
                    "--node-id",
                    0,
                    ClusterSettings.MAX_NODE_ID,
                    "The id of this node, in one or both of the ranges below")
            .required()
            .perNode();

    /** The lowest Memory Node id. */
    public static final OptionSpec<Integer> FIRST_MN_ID = of(ClusterSettings.FIRST_MEMORY_NODE);

    /** The highest Memory Node id. */
    public static final OptionSpec<Integer> LAST_MN_ID = of(ClusterSettings.LAST_MEMORY_NODE);

    /** The lowest Compute Node id. */
    public static final OptionSpec<Integer> FIRST_CN_ID = of(ClusterSettings.FIRST_COMPUTE_NODE);

    /** The highest Compute Node id. */
    public static final OptionSpec<Integer> LAST_CN_ID = of(ClusterSettings.LAST_COMPUTE_NODE);

    /** The TCP port of every Memory Node. */
    public static final OptionSpec<Integer> MN_PORT = of(ClusterSettings.MEMORY_PORT);

    /** The name of the fabric. */
    public static final OptionSpec<String> FABRIC = of(ClusterSettings.FABRIC);

    /** The name of the cluster. */
    public static final OptionSpec<String> CLUSTER = of(ClusterSettings.CLUSTER);

    /** The hosts of the nodes; if there are none, {@link #HOST_PATTERN} applies. */
    public static final OptionSpec<List<String>> HOSTS = of(ClusterSettings.HOSTS);

    /** The host name of a node, with its id left open. */
    public static final OptionSpec<String> HOST_PATTERN = of(ClusterSettings.HOST_PATTERN);

    /** The size of a segment as log2 of bytes. */
    public static final OptionSpec<Integer> SEG_SIZE = of(ClusterSettings.SEGMENT_SIZE_LOG2);

    /** Segments per Memory Node. */
    public static final OptionSpec<Integer> SEGS_PER_MN = of(ClusterSettings.SEGMENTS_PER_NODE);

    /** Compute Threads per Compute Node. */
    public static final OptionSpec<Integer> CN_THREADS = of(ClusterSettings.THREADS_PER_NODE);

    /** The folder for results. */
    public static final OptionSpec<Path> OUT = OptionSpec.path("--out", "The folder for results")
            .withDefault(Path.of("results"))
            .perNode();

    private static final List<OptionGroup> GROUPS = allGroups();

    private RemusOptions() {}

    private static Map<Setting<?>, OptionSpec<?>> options() {
        Map<Setting<?>, OptionSpec<?>> options = new HashMap<>();
        ClusterSettings.all().forEach(setting -> options.put(setting, OptionSpec.of(setting)));
        return options;
    }

    private static List<OptionGroup> allGroups() {
        List<SettingGroup> groups = ClusterSettings.groups();
        List<OptionGroup> all = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            Stream<OptionSpec<?>> before = i == 0 ? Stream.of(NODE_ID) : Stream.of();
            Stream<OptionSpec<?>> after = i == groups.size() - 1 ? Stream.of(OUT) : Stream.of();
            Stream<OptionSpec<?>> settings = groups.get(i).settings().stream().map(RemusOptions::of);
            all.add(new OptionGroup(
                    groups.get(i).title(),
                    Stream.of(before, settings, after)
                            .flatMap(options -> options)
                            .toArray(OptionSpec<?>[]::new)));
        }
        return List.copyOf(all);
    }

    /** The option of a setting, the same at every call. */
    @SuppressWarnings("unchecked") // made from this very setting
    public static <T> OptionSpec<T> of(Setting<T> setting) {
        return (OptionSpec<T>) Objects.requireNonNull(OPTIONS.get(setting), "all settings are in the table");
    }

    /**
     * All options of the framework, for {@link OptionSet#include}.
     *
     * @return a new array; the groups in it are the same at every call
     */
    public static OptionGroup[] groups() {
        return GROUPS.toArray(new OptionGroup[0]);
    }

    /**
     * The configuration that all nodes of the cluster share.
     *
     * @param arguments of a program that includes {@link #groups}
     * @return a valid configuration
     * @throws UsageException if options contradict each other; it names the one to change
     */
    public static ClusterConfig clusterConfig(Arguments arguments) {
        if (arguments.isGiven(HOSTS) && arguments.isGiven(HOST_PATTERN)) {
            throw arguments.usageError(HOST_PATTERN, "to be left out when --hosts is given");
        }
        ClusterConfig.Builder builder = ClusterConfig.builder().agreed(arguments.agreed(GROUPS));
        ClusterSettings.all().forEach(setting -> copy(arguments, setting, builder));
        try {
            return builder.build();
        } catch (InvalidConfigException e) {
            throw arguments.usageError(e.commandLineMessage());
        }
    }

    private static <T> void copy(Arguments arguments, Setting<T> setting, ClusterConfig.Builder builder) {
        builder.set(setting, arguments.get(of(setting)));
    }

    /**
     * The id of this process.
     *
     * @param arguments of a program that includes {@link #groups}
     * @return the id of a node of the cluster
     * @throws UsageException if the id is in neither range, or the cluster itself is not valid
     */
    public static int nodeId(Arguments arguments) {
        ClusterConfig config = clusterConfig(arguments);
        int id = Math.toIntExact(arguments.get(NODE_ID));
        if (!config.isMemoryNode(id) && !config.isComputeNode(id)) {
            throw arguments.usageError(
                    NODE_ID,
                    "a Memory Node id from " + config.firstMemoryNode() + " to " + config.lastMemoryNode()
                            + " or a Compute Node id from " + config.firstComputeNode() + " to "
                            + config.lastComputeNode());
        }
        return id;
    }
}
