// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A Maven project outside the tree that imports the framework.
 *
 * <p>The framework is installed into a separate repository in front of the build's, which already has everything else.
 * The test leaves the user's repository unchanged and needs no network.
 */
public final class OutsideProject {
    private static final String VERSION = "0.2.0";
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    /** The artifacts that a structure and its tests import, with the folders of their modules. */
    private static final Map<String, String> IMPORTED =
            Map.of("remus-framework", "framework/core", "remus-testing", "framework/testing");

    /** Flags for short-lived JVMs: Maven's own, and the JVM of the project's tests. */
    private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    /** A build takes seconds, and minutes where many other programs run. */
    private static final int LIMIT_SECONDS = 500;

    /** Set by Maven for its tests. */
    private static final String REPOSITORY = System.getProperty("localRepository");

    private final Path folder;
    private final Path project;
    private final Path installed;

    /** @param folder an empty folder for the project */
    public OutsideProject(Path folder) throws IOException {
        assumeThat(REPOSITORY).as("the repository of the running Maven").isNotNull();
        this.folder = folder;
        this.project = folder.resolve("project");
        this.installed = folder.resolve("repository");
        install("remus", ROOT.resolve("pom.xml"), ".pom");
        for (Map.Entry<String, String> imported : IMPORTED.entrySet()) {
            Path module = ROOT.resolve(imported.getValue());
            Path jar = module.resolve("target").resolve(imported.getKey() + "-" + VERSION + ".jar");
            assumeThat(jar).as("a packaged module").exists();
            install(imported.getKey(), module.resolve("pom.xml"), ".pom");
            install(imported.getKey(), jar, ".jar");
        }
    }

    /** The folder of the project, which may not exist yet. */
    public Path path() {
        return project;
    }

    private void install(String artifact, Path file, String extension) throws IOException {
        Path target = Files.createDirectories(
                installed.resolve("dev/remus").resolve(artifact).resolve(VERSION));
        Files.copy(file, target.resolve(artifact + "-" + VERSION + extension));
    }

    /** Runs the wrapper's Maven in the project's folder, and returns its output. */
    public List<String> maven(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ROOT.resolve("mvnw").toString(),
                "-q",
                "-B",
                "-DargLine=" + QUICK_START + " -Dof.the.user=seen",
                "-Dmaven.repo.local=" + installed,
                "-Dmaven.repo.local.tail=" + REPOSITORY));
        command.addAll(List.of(arguments));
        return run(command);
    }

    /** Runs a command in the project's folder, and returns its output. */
    public List<String> run(List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().merge("MAVEN_OPTS", QUICK_START, (more, quick) -> quick + " " + more);
        // Variables that the running Maven sets for itself.
        builder.environment().keySet().removeAll(List.of("MAVEN_PROJECTBASEDIR", "MAVEN_CMD_LINE_ARGS"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        return lines;
    }
}
