// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.Setting;
import dev.remus.config.Suggestion;
import dev.remus.fabric.Fabric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Configurations of clusters on this machine, and their texts. */
public final class LocalConfig {
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    /** Marks the text of an option of the program, which is no setting. */
    private static final String AGREED = "agreed:";

    private LocalConfig() {}

    /**
     * Starts the configuration of a cluster whose name and port no other cluster on this machine has. The ids of the
     * Memory Nodes begin at 0, those of the Compute Nodes follow.
     *
     * @param memoryNodes the number of Memory Nodes, at least 1
     * @param computeNodes the number of Compute Nodes, at least 1
     * @param threadsPerNode the number of Compute Threads of each Compute Node, at least 1
     * @throws IllegalArgumentException if there are fewer
     */
    public static ClusterConfig.Builder of(int memoryNodes, int computeNodes, int threadsPerNode) {
        requirePositive("memoryNodes", memoryNodes);
        requirePositive("computeNodes", computeNodes);
        requirePositive("threadsPerNode", threadsPerNode);
        return ClusterConfig.builder()
                .cluster("local-test-" + ProcessHandle.current().pid() + "-" + CLUSTERS.incrementAndGet())
                .memoryPort(freePort())
                .memoryNodes(0, memoryNodes - 1)
                .computeNodes(memoryNodes, memoryNodes + computeNodes - 1)
                .threadsPerNode(threadsPerNode);
    }

    /**
     * Changes one setting of a configuration.
     *
     * @param option the setting as on the command line, such as {@code --seg-size=24}; the page of settings lists them
     * @throws IllegalArgumentException if there is no such setting, or it does not accept the value
     */
    public static void set(ClusterConfig.Builder config, String option) {
        int equals = option.indexOf('=');
        String name = equals < 0 ? option : option.substring(0, equals);
        Setting<?> setting = ClusterSettings.all().stream()
                .filter(each -> each.option().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + option
                        + "' is no setting of a cluster; a setting looks like --seg-size=24"
                        + Suggestion.didYouMean(
                                name,
                                ClusterSettings.all().stream()
                                        .map(Setting::option)
                                        .toList())));
        set(config, setting, equals < 0 ? "true" : option.substring(equals + 1));
    }

    private static <T> void set(ClusterConfig.Builder config, Setting<T> setting, String value) {
        config.set(
                setting,
                setting.type()
                        .parse(value)
                        .orElseThrow(() -> new IllegalArgumentException(setting.option() + ": got '" + value
                                + "', needs " + setting.type().needs())));
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": got " + value + ", needs at least 1");
        }
    }

    /**
     * A port that was free a moment ago. Shared memory opens none. Over RDMA it makes a collision improbable: ports of
     * its connection manager are not those of TCP, so none can be reserved here. A node that finds its port taken names
     * it.
     */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no TCP port is free: " + e.getMessage(), e);
        }
    }

    /** The configuration with the hosts that its fabric needs for nodes on this machine, if it names none. */
    static ClusterConfig withHosts(ClusterConfig config) {
        if (!config.hosts().isEmpty()) {
            return config;
        }
        return Fabric.of(config)
                .localHost(config)
                .map(host -> config.toBuilder()
                        .hosts(Collections.nCopies(config.nodes(), host))
                        .build())
                .orElse(config);
    }

    /** The texts from which {@link #parse} makes an equal configuration in another process. */
    static List<String> format(ClusterConfig config) {
        List<String> texts = new ArrayList<>();
        ClusterSettings.all().forEach(setting -> texts.add(setting.option() + "=" + text(config, setting)));
        config.agreed().forEach((name, value) -> texts.add(AGREED + name + "=" + value));
        return texts;
    }

    private static <T> String text(ClusterConfig config, Setting<T> setting) {
        return setting.type().format(config.get(setting));
    }

    static ClusterConfig parse(List<String> texts) {
        ClusterConfig.Builder config = ClusterConfig.builder();
        Map<String, String> agreed = new LinkedHashMap<>();
        for (String text : texts) {
            if (text.startsWith(AGREED)) {
                String[] words = text.substring(AGREED.length()).split("=", 2);
                agreed.put(words[0], words[1]);
            } else if (!text.equals(ClusterSettings.HOSTS.option() + "=")) {
                set(config, text);
            }
        }
        return config.agreed(agreed).build();
    }
}
