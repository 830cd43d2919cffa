// SPDX-License-Identifier: Apache-2.0
package dev.remus.process;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The JVM options for the processes of a cluster on this machine: those that silence warnings about the framework,
 * those that let several JVMs run on a small machine, and those of this JVM.
 */
public final class JvmFlags {
    /** Options needed for segments of more than 1 GiB. */
    private static final List<String> LARGE_SEGMENTS = List.of(
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");

    private static final int LARGEST_WITHOUT_FLAGS_LOG2 = 30;

    /** Options that older releases reject. */
    private static final List<String> QUIET_SINCE_24 =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private static final String HEAP_LIMIT = "-Xmx";

    /** The limit of a child's heap in MiB, unless it is known to need more. */
    public static final int SMALL_HEAP_MIB = 256;

    private static final List<String> SMALL =
            List.of("-Xshare:auto", "-XX:+UseSerialGC", HEAP_LIMIT + SMALL_HEAP_MIB + "m");

    /** Options of this JVM that are not inherited: several JVMs cannot share a debugger, a port or a recording. */
    private static final List<String> OWN = List.of(
            "-agentlib:",
            "-agentpath:",
            "-javaagent:",
            "-Xrunjdwp:",
            "-Xdebug",
            "-Dcom.sun.management.jmxremote",
            "-XX:StartFlightRecording");

    private JvmFlags() {}

    /**
     * The options that keep a JVM of this release from printing warnings about the framework. The launcher {@code
     * remus} has the same list.
     */
    public static List<String> needed() {
        return needed(Runtime.version().feature());
    }

    /** The same for a JVM of another feature release. */
    public static List<String> needed(int feature) {
        return feature < 24 ? List.of() : QUIET_SINCE_24;
    }

    /**
     * The options for a node that this process starts: those for a child process, and those that its segments and its
     * virtual threads need.
     */
    public static List<String> forChild(ClusterConfig cluster) {
        List<String> inherited =
                new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        if (cluster.segmentSizeLog2() > LARGEST_WITHOUT_FLAGS_LOG2) {
            inherited.addAll(LARGE_SEGMENTS);
        }
        inherited.addAll(VirtualThreads.flags(cluster.cores()));
        return forChild(Runtime.version().feature(), inherited, System.getProperties());
    }

    /**
     * The same for a node that may need more heap than {@link #SMALL_HEAP_MIB}.
     *
     * @param heapMib the limit of its heap in MiB, unless this JVM was started with a limit, which nodes inherit
     */
    public static List<String> forChild(ClusterConfig cluster, int heapMib) {
        List<String> flags = forChild(cluster);
        if (heapMib > SMALL_HEAP_MIB && ofThisVm().stream().noneMatch(flag -> flag.startsWith(HEAP_LIMIT))) {
            flags.add(HEAP_LIMIT + heapMib + "m");
        }
        return flags;
    }

    /** The options with which this JVM was started. */
    public static List<String> ofThisVm() {
        return List.copyOf(ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    /** The options for any other child process. */
    public static List<String> forChild() {
        return forChild(Runtime.version().feature());
    }

    /** The same for a child process on another release of Java. */
    public static List<String> forChild(int feature) {
        return forChild(feature, ManagementFactory.getRuntimeMXBean().getInputArguments(), System.getProperties());
    }

    /** @param inherited the options of this JVM; later options override earlier ones */
    static List<String> forChild(int feature, List<String> inherited, Properties properties) {
        List<String> flags = new ArrayList<>(needed(feature));
        List<String> ofAnyRelease = needed(Integer.MAX_VALUE);
        List<String> rest = inherited.stream()
                .filter(flag -> !ofAnyRelease.contains(flag) && OWN.stream().noneMatch(flag::startsWith))
                .toList();
        boolean choosesCollector = rest.stream().anyMatch(flag -> flag.matches("-XX:\\+Use\\w+GC"));
        SMALL.stream()
                .filter(flag -> !(choosesCollector && flag.endsWith("GC")))
                .forEach(flags::add);
        flags.addAll(rest);
        properties.stringPropertyNames().stream()
                .filter(name -> name.equals("remus.shm.dir") || name.equals("remus.debug"))
                .map(name -> "-D" + name + "=" + properties.getProperty(name))
                .filter(flag -> !flags.contains(flag))
                .forEach(flags::add);
        return flags;
    }
}
