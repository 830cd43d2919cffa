// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that cannot start, such as while another process holds a lock for long. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(120)
class LocalServiceTest {
    private static final String FOLDER = "--cluster-secret=";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Node 0 runs. Node 1 cannot start twice, or never if the folder has the file "never"; it counts its starts. */
    static final class Unready {
        private Unready() {}

        public static void main(String... args) throws Exception {
            List<String> words = List.of(args);
            Path marks = Stream.of(args)
                    .filter(word -> word.startsWith(FOLDER))
                    .map(word -> Path.of(word.substring(FOLDER.length())))
                    .findFirst()
                    .orElseThrow();
            if (words.contains("--node-id=0")) {
                Thread.sleep(100_000);
            }
            Path starts = marks.resolveSibling("starts");
            Files.writeString(starts, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (Files.exists(marks.resolveSibling("never")) || Files.size(starts) <= 2) {
                System.exit(ExitStatus.NOT_STARTED);
            }
            System.out.println("node 1" + ServiceNodeRun.SERVES + "http://127.0.0.1:1");
            Thread.sleep(100_000);
        }
    }

    private LocalService service() {
        PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
        return LocalService.of(
                Unready.class, to, to, FOLDER + folder.resolve("secret"), "--last-cn-id=1", "--http-port=0");
    }

    @Test
    void aNodeThatCouldNotStartIsStartedAgain() throws Exception {
        try (LocalService service = service()) {
            service.start();
            assertThat(service.supervise(() -> service.urls().size() == 1))
                    .as(out.toString(StandardCharsets.UTF_8))
                    .isTrue();
            assertThat(folder.resolve("starts")).hasSize(3);
        }
    }

    @Test
    void aNodeThatNeverStartsIsGivenUpAfterFiveAttempts() throws Exception {
        Files.createFile(folder.resolve("never"));
        try (LocalService service = service()) {
            service.start();
            assertThat(service.supervise(() -> false)).isFalse();
            assertThat(folder.resolve("starts")).hasSize(5);
        }
    }
}
