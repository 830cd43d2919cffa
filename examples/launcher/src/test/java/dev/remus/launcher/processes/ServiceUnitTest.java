// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static dev.remus.launcher.processes.ServiceProcessTest.assertNothingIsLeft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/service/remus-service@.service}, the unit of systemd: as systemd reads it, and what it runs. */
@Tag("processes")
@Tag("programs")
@Timeout(600)
@Tag("any-jdk")
class ServiceUnitTest {
    private static final String LAUNCHER = "/opt/remus/remus";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    private Path shm;
    private String unit;

    @BeforeEach
    void readUnit() throws IOException {
        shm = Files.createDirectory(folder.resolve("shm"));
        unit = Files.readString(SourceTree.ROOT.resolve("examples/service/remus-service@.service"));
    }

    /** The settings, whose names differ. Values may continue on further lines. */
    private Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        unit.replaceAll("\\\\\n *", "")
                .lines()
                .filter(line -> line.matches("[A-Za-z]+=.*"))
                .map(line -> line.split("=", 2))
                .forEach(setting -> assertThat(settings.put(setting[0], setting[1]))
                        .as(setting[0])
                        .isNull());
        return settings;
    }

    private String setting(String name) {
        String value = settings().get(name);
        assertThat(value).as(name).isNotNull();
        return value;
    }

    /** What systemd reports about a unit; empty if there is nothing. */
    private String verified(String text) throws Exception {
        Path copy = Files.writeString(folder.resolve("remus-service@.service"), text);
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder("systemd-analyze", "verify", copy.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return Files.readString(output) + (process.exitValue() == 0 ? "" : "status " + process.exitValue());
    }

    @Test
    void systemdFindsNoMistakeInTheUnit() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "there is no systemd-analyze");
        String installed =
                unit.replace(LAUNCHER, SourceTree.ROOT.resolve("remus").toString());
        assertThat(verified(installed)).isEmpty();
        assertThat(verified(installed.replace("RestartSec=", "RestartSecs="))).contains("RestartSecs");
    }

    @Test
    void theUnitStartsTheLauncherAndNamesFoldersThatExist() {
        assertThat(setting("ExecStart")).startsWith(LAUNCHER + " service ");
        assertThat(SourceTree.ROOT.resolve("remus")).isExecutable();
        assertThat(Path.of(setting("ReadWritePaths"))).isDirectory();
        assertThat(unit).contains("/run/" + setting("RuntimeDirectory") + "/ready");
    }

    /** The words after the launcher's name, for a node of a cluster with one Compute Node and any port. */
    private String[] words(int node) {
        List<String> words = List.of(here(setting("ExecStart"), node)
                .replace("--last-cn-id=3", "--last-cn-id=1")
                .replace("--http-port=8080", "--http-port=0")
                .split(" +"));
        return words.subList(1, words.size()).toArray(String[]::new);
    }

    /** A command of the unit for a node, whose runtime directory is below this test's folder. */
    private String here(String command, int node) {
        return command.replace("/run/", folder + "/").replace("%i", "" + node);
    }

    @Test
    void theCommandsOfTheUnitServeUntilItsSignalAndEndWithItsStatusIfTheyCannotStart() throws Exception {
        for (int node : List.of(0, 1)) {
            Files.createDirectory(folder.resolve(setting("RuntimeDirectory").replace("%i", "" + node)));
        }
        try (Started memory = Started.of(shm, words(0)).withTimeout(PATIENCE);
                Started compute = Started.of(shm, words(1)).withTimeout(PATIENCE)) {
            for (int node : List.of(0, 1)) {
                Process started = new ProcessBuilder("sh", "-c", here(setting("ExecStartPost"), node)).start();
                assertThat(started.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as(memory + "\n" + compute)
                        .isTrue();
                assertThat(started.exitValue()).isZero();
            }
            for (Started node : List.of(compute, memory)) {
                node.signal(setting("KillSignal").replace("SIG", ""));
                assertThat(node.await()).as(node.toString()).isZero();
            }
        }
        assertNothingIsLeft(shm);
        try (Started other = Started.of(shm, words(7)).withTimeout(PATIENCE)) {
            assertThat("" + other.await()).as(other.toString()).isEqualTo(setting("RestartPreventExitStatus"));
        }
    }
}
