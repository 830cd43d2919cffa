package dev.remus.examples.cluster;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The options of the Java VM for the processes of a local cluster: what the framework needs, what makes several VMs start
 * and run side by side on a small machine, and what this VM itself was given.
 */
public final class JvmFlags {
    private static final List<String> NEEDED = List.of(
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");

    /** Unknown to older releases, which would not start. */
    private static final List<String> NEEDED_SINCE_24 =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private static final List<String> SMALL = List.of("-Xshare:auto", "-XX:+UseSerialGC", "-Xmx256m");

    /** Of this VM only: a debugger's or profiler's, which cannot be attached to several. */
    private static final List<String> OWN =
            List.of("-agentlib:", "-agentpath:", "-javaagent:", "-Xrunjdwp:", "-Xdebug");

    private JvmFlags() {}

    /** What the framework needs from a Java VM of this release. The launcher {@code remus} has the same list. */
    public static List<String> needed() {
        return needed(Runtime.version().feature());
    }

    static List<String> needed(int feature) {
        return feature < 24
                ? NEEDED
                : Stream.concat(NEEDED.stream(), NEEDED_SINCE_24.stream()).toList();
    }

    /** For a process that this one starts: the above, and what this VM was given. */
    public static List<String> forChild() {
        return forChild(ManagementFactory.getRuntimeMXBean().getInputArguments(), System.getProperties());
    }

    /** @param inherited the options of this VM; later options prevail over earlier ones */
    static List<String> forChild(List<String> inherited, Properties properties) {
        List<String> flags = new ArrayList<>(needed());
        List<String> rest = inherited.stream()
                .filter(flag -> !flags.contains(flag) && OWN.stream().noneMatch(flag::startsWith))
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
