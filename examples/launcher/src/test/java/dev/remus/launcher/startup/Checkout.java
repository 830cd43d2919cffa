// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A checkout with the launcher and the files that it reads, but no build output. Scripts replace other programs. */
public final class Checkout {
    /** The launcher and the scripts that it calls or sources. */
    private static final List<String> SCRIPTS =
            List.of("remus", ".ci/commit.sh", ".ci/near.sh", ".ci/install-jdk", ".ci/test.sh");

    private static final Path COMMANDS = Path.of("examples/launcher/src/main/resources/dev/remus/launcher/commands");

    private final Path folder;
    private final Map<String, String> environment = new TreeMap<>();

    /** The result of a call of the launcher. */
    record Call(int status, String out, String err) {
        /** The last line of the error stream, which has the error message. */
        String complaint() {
            return err.lines().reduce("", (before, line) -> line);
        }
    }

    /** Copies the launcher into a folder. */
    public Checkout(Path folder) throws IOException {
        this.folder = folder;
        Path project = Path.of("../..");
        Files.createDirectories(folder.resolve(".ci"));
        for (String script : SCRIPTS) {
            Files.copy(project.resolve(script), folder.resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createFile(folder.resolve("pom.xml"));
        Path copies = Files.createDirectories(folder.resolve(COMMANDS));
        try (Stream<Path> files = Files.list(project.resolve(COMMANDS))) {
            for (Path file : files.toList()) {
                Files.copy(file, copies.resolve(file.getFileName()));
            }
        }
    }

    /** Sets a variable of the environment for all calls; null removes it. */
    Checkout with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Puts a script into the folder. */
    Path script(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/bash\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    /** Calls the launcher without a terminal. */
    Call remus(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(folder.resolve("remus").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        environment.forEach((name, value) -> {
            if (value == null) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
            return new Call(
                    process.exitValue(),
                    Files.readString(folder.resolve("out"), StandardCharsets.UTF_8),
                    Files.readString(folder.resolve("err"), StandardCharsets.UTF_8));
        } finally {
            process.destroy();
        }
    }
}
