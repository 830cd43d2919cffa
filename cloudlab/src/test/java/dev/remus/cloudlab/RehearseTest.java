// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Rehearsals on this machine: in network namespaces if it lets this user make them, else at addresses of it. */
@Tag("processes")
@Tag("programs")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class RehearseTest {
    private static final String[] SMALL = {
        "exefile=intset",
        "experiment_args='--fabric verbs --hosts=a,b --first-mn-id 0 --last-mn-id 0 --first-cn-id 1 --last-cn-id 1"
                + " --cn-threads 1'",
        "sweep=('key-ub 16 32' 'num-ops 100 5000 10000')",
        "repetitions=5",
    };

    @TempDir
    private Path folder;

    private Path temporary;

    @BeforeEach
    void makeFolders() throws Exception {
        String missing = Machines.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        temporary = Files.createDirectories(folder.resolve("tmp"));
    }

    private Shell.Running rehearse(Path cluster, String... experiment) throws IOException {
        return Shell.start(
                Map.of("TMPDIR", temporary.toString(), "JAVA_HOME", System.getProperty("java.home")),
                List.of(
                        Shell.CL.toString(),
                        cluster.toString(),
                        "rehearse",
                        file("small.sh", experiment).toString()));
    }

    private Path file(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    private Path cluster() throws IOException {
        return file(
                "cluster.sh", "node_type=xl170", "machines=(hp001 hp002)", "user=me", "results=" + folder + "/none");
    }

    private static String[] with(String line) {
        return Stream.concat(Stream.of(SMALL), Stream.of(line)).toArray(String[]::new);
    }

    private void assertNothingIsLeft(Process cl) throws Exception {
        try (Stream<Path> left = Files.list(temporary);
                Stream<Path> memory = Files.list(Path.of("/dev/shm"))) {
            assertThat(left).isEmpty();
            assertThat(memory.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("remus-rehearsal-" + cl.pid() + "."));
        }
        assertThat(folder.resolve("none")).doesNotExist();
        if (Shell.has("ip")) {
            assertThat(Shell.run("ip", "netns", "list").output()).doesNotContain("remus-rehearsal-" + cl.pid() + "-");
            assertThat(Shell.run("ip", "-brief", "link").output()).doesNotContain("rm" + cl.pid());
        }
        assertThat(cl.descendants()).isEmpty();
    }

    @Test
    void theCourseOfAnExperimentIsRunWithFewOperationsAndLeavesNothing() throws Exception {
        Shell.Running running = rehearse(cluster(), with("plots=('num-ops throughput')"));
        Shell.Ended ended = running.await();
        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("not in a rehearsal: apt-get ", "cl: all 2 machines are ready, and reach each other")
                .contains("cl: run 1 of 2: --key-ub 16 --num-ops 100", "cl: run 2 of 2: --key-ub 32 --num-ops 200")
                .contains(" found: balanced", "picture: ", "small-throughput-by-num-ops.png")
                .containsPattern("cl: rehearsal of small passed in \\d+ s, with 2 machines: 2 runs, .* in place of 30");
        assertNothingIsLeft(running.process());
    }

    @Test
    void aMistypedColumnOfAPictureIsFoundAndNothingIsLeft() throws Exception {
        Shell.Running running = rehearse(cluster(), with("plots=('num-ops throughptu')"));
        Shell.Ended ended = running.await();
        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output())
                .contains(
                        "throughptu",
                        "cl: rehearsal of small FAILED: build, copy, run, fetch, draw; the reason is above");
        assertNothingIsLeft(running.process());
    }

    @Test
    void aRehearsalThatIsEndedLeavesNothing() throws Exception {
        Shell.Running running = rehearse(cluster(), with("time_limit=600"));
        running.awaitText("cl: rehearsal: ");
        running.process().destroy();
        Shell.Ended ended = running.await();
        assertThat(ended.status()).as(ended.output()).isEqualTo(143);
        assertNothingIsLeft(running.process());
    }
}
