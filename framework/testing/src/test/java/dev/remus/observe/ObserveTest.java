// SPDX-License-Identifier: Apache-2.0
package dev.remus.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import dev.remus.node.SlowOperationEvent;
import dev.remus.readme.Readme;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ObserveTest {
    private static final int READS = 7;

    private final ClusterConfig config = ClusterConfig.builder()
            .cluster("observed-" + ProcessHandle.current().pid())
            .memoryNodes(0, 0)
            .computeNodes(1, 1)
            .threadsPerNode(2)
            .build();

    @TempDir
    private Path folder;

    private long block;

    /** Makes one of two threads work, with a check before and after. */
    private void work(Consumer<ComputeNode> before, Consumer<ComputeNode> after) {
        try (MemoryNode memory = MemoryNode.start(config, 0)) {
            try (ComputeNode node = ComputeNode.connect(config, 1)) {
                before.accept(node);
                try (ComputeThread ct = node.openThread(0)) {
                    block = ct.allocate(64);
                    ct.write(block, 5);
                    for (int i = 0; i < READS; i++) {
                        ct.read(block);
                    }
                    ct.sequence().fetchAndAdd(block, 1, ct.allocateLocal(8), 0).execute();
                }
                after.accept(node);
            }
            memory.awaitFinished();
        }
    }

    @Test
    void metersShowWhatTheThreadsHaveCounted() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        work(node -> new RemusMeters(node).bindTo(registry), node -> {
            assertThat(registry.get("remus.operations")
                            .tags("node", "1", "thread", "0", "kind", "read")
                            .functionCounter()
                            .count())
                    .isEqualTo(node.metrics(0).orElseThrow().reads())
                    .isGreaterThanOrEqualTo(READS);
            assertThat(registry.get("remus.operations")
                            .tags("thread", "0", "kind", "faa")
                            .functionCounter()
                            .count())
                    .isEqualTo(node.metrics(0).orElseThrow().fetchAndAdds());
            assertThat(registry.get("remus.round.trips")
                            .tags("thread", "0")
                            .functionCounter()
                            .count())
                    .isEqualTo(node.metrics(0).orElseThrow().roundTrips());
            assertThat(registry.get("remus.bytes")
                            .tags("thread", "0", "kind", "write")
                            .functionCounter()
                            .count())
                    .isEqualTo(node.metrics(0).orElseThrow().writeBytes());
            assertThat(registry.get("remus.operations")
                            .tags("thread", "1", "kind", "read")
                            .functionCounter()
                            .count())
                    .as("a thread that was never opened")
                    .isZero();
        });
    }

    private List<RecordedEvent> record(Duration threshold, boolean enabled) throws Exception {
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            if (enabled) {
                recording.enable(SlowOperationEvent.class).withThreshold(threshold);
            }
            recording.start();
            work(node -> {}, node -> {});
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(SlowOperationEvent.NAME))
                .toList();
    }

    @Test
    void theFlightRecorderGetsEachBlockingOperationWithItsPointerIfTheThresholdIsZero() throws Exception {
        List<RecordedEvent> events = record(Duration.ZERO, true);
        assertThat(events)
                .filteredOn(e -> e.getString("operation").equals("READ") && e.getLong("pointer") == block)
                .hasSize(READS)
                .allMatch(e -> e.getInt("bytes") == Long.BYTES);
        assertThat(events).anyMatch(e -> e.getString("operation").equals("WRITE") && e.getLong("pointer") == block);
        assertThat(events).anyMatch(e -> e.getString("operation").equals("SEQUENCE"));
    }

    @Test
    void operationsBelowTheThresholdOrNotEnabledAreNotRecorded() throws Exception {
        assertThat(record(Duration.ofMinutes(1), true)).isEmpty();
        assertThat(record(Duration.ZERO, false)).isEmpty();
    }

    /** Its start would take longer than the rest of a node's start. */
    @Test
    @Tag("processes")
    void theFlightRecorderIsNotStartedWithoutARecording() throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Readme.read().quietFlags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ObserveTest.class.getName()));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(output).content(UTF_8).contains("worked, recorder started: false");
    }

    /** The other process of the test above. */
    public static void main(String[] args) {
        new ObserveTest().work(node -> {}, node -> {});
        System.out.println("worked, recorder started: " + FlightRecorder.isInitialized());
    }
}
