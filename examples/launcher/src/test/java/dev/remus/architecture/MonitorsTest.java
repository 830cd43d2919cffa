// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No Compute Thread holds a monitor while it waits: until Java 24, a virtual thread that does keeps its carrier. Since
 * then it does not, and no recording shows it. So this test reads the sources.
 */
class MonitorsTest {
    /** By class: what is done under its monitors, which neither waits nor uses remote memory. */
    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("AddressSpace", "notes a loss, or extends the table of segments"),
            Map.entry("CarrierTurns", "starts a thread"),
            Map.entry("CompletionWatch", "starts or wakes a thread, and waits for none"),
            Map.entry("ComputeNode", "notes that the node is closed"),
            Map.entry("KnownBranches", "changes a table on the heap"),
            Map.entry("KnownBuckets", "makes a table on the heap"),
            Map.entry("LocalSlabs", "cuts a piece from a buffer, or allocates one"),
            Map.entry("Membership", "notes a loss"),
            Map.entry("MemoryNode", "notes losses and the states of peers; no Compute Thread uses it"),
            Map.entry("NodeEpochs", "notes a stall and logs it"),
            Map.entry("NoticeFile", "writes or removes a small file of this machine"),
            Map.entry("NodeLock", "changes the line of waiters, each of which waits outside"),
            Map.entry("Reachability", "compares times"),
            Map.entry("RetiredPool", "moves blocks between lists on the heap"),
            Map.entry("SharedLane", "adds a user to a list"),
            Map.entry("ShmLane", "executes a chain on mapped memory at once"),
            Map.entry("VerbsLink", "probes or replaces the control connection, which waits for no answer"),
            Map.entry("VirtualThreads", "reads properties before the first virtual thread"));

    private static final Pattern MONITOR = Pattern.compile("\\bsynchronized\\b[^;{]*\\{");

    /** Calls that wait or use remote memory. */
    private static final Pattern WAITS =
            Pattern.compile("\\b(wait|await\\w*|join(?=\\(\\))|park\\w*|sleep|pause\\w*|lock"
                    + "|recover|fetchAndAdd|compareAndSwap|beginTurn)\\(");

    /** The classes of fabrics that Compute Threads use. */
    private static boolean isUsedByComputeThreads(Path source) {
        return source.getFileName().toString().matches("\\w*(Lane|Link|Operations|SendQueue|QueuePair)[.]java");
    }

    private static Map<String, String> withMonitors(String packageName) throws IOException {
        Map<String, String> found = new TreeMap<>();
        boolean isOfAFabric = packageName.startsWith("dev.remus.fabric.");
        try (Stream<Path> sources = Files.list(SourceTree.packageFolder(packageName))) {
            for (Path source :
                    sources.filter(path -> path.toString().endsWith(".java")).toList()) {
                String text = Files.readString(source).replaceAll("(?s)/[*].*?[*]/|//[^\n]*", "");
                if (MONITOR.matcher(text).find() && (!isOfAFabric || isUsedByComputeThreads(source))) {
                    found.put(source.getFileName().toString().replace(".java", ""), text);
                }
            }
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.remus.fabric",
                "dev.remus.fabric.shm",
                "dev.remus.fabric.verbs",
                "dev.remus.memory",
                "dev.remus.node",
                "dev.remus.structures",
                "dev.remus.structures.baseline"
            })
    void noMonitorIsHeldAcrossAWait(String packageName) throws IOException {
        withMonitors(packageName).forEach((name, text) -> {
            assertThat(REASONS.keySet())
                    .as("a reason for the monitors of " + name)
                    .contains(name);
            assertThat(monitors(text))
                    .as(name)
                    .isNotEmpty()
                    .noneMatch(body -> WAITS.matcher(body).find());
        });
    }

    /** The code under each monitor. */
    private static List<String> monitors(String text) {
        return MONITOR.matcher(text)
                .results()
                .map(start -> text.substring(start.end(), end(text, start.end())))
                .toList();
    }

    /** The end of the block that has just begun. */
    private static int end(String text, int begin) {
        int depth = 1;
        int at = begin;
        for (; depth > 0; at++) {
            char next = text.charAt(at);
            depth += next == '{' ? 1 : next == '}' ? -1 : 0;
        }
        return at;
    }
}
