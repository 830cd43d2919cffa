// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.jvm.ClassArchive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder that looks like a clone of the project, and runs commands in bash as a reader would. They write nothing into
 * the project. Its launcher {@code ./remus} does not build, and does not compile what Maven has already compiled.
 */
final class Sandbox implements AutoCloseable {
    private static final int LIMIT_SECONDS = 300;

    /** The folders that commands read. */
    private static final List<String> LINKED = List.of("tutorial", "cloudlab");

    /** The flags about modules, for every command. */
    private static final List<String> JVM_FLAGS = Stream.of(
                    (System.getProperty("remus.jvm.flags", "") + " --add-exports=java.base/jdk.internal.vm=ALL-UNNAMED")
                            .split(" "))
            .filter(flag -> !flag.isEmpty())
            .toList();

    private static final ClassArchive CLASSES = ClassArchive.of(aNodeAlone());

    private static final String SEPARATOR = "\u001e";

    private final Path folder;

    /** A program that does what a node does before, during and after the work of its threads. */
    private static List<String> aNodeAlone() {
        List<String> program = new ArrayList<>(JVM_FLAGS);
        program.addAll(List.of(
                "-Dremus.shm.dir=" + Path.of("target/class-archive").toAbsolutePath(),
                "dev.remus.launcher.Main",
                "intset",
                "--node-id=0",
                "--first-mn-id=0",
                "--last-mn-id=0",
                "--first-cn-id=0",
                "--last-cn-id=0",
                "--mn-port=18515",
                "--cn-threads=2",
                "--num-ops=200",
                "--key-ub=100"));
        return program;
    }

    Sandbox(Path folder) throws IOException {
        this.folder = folder;
        for (String name : LINKED) {
            Files.createSymbolicLink(folder.resolve(name), Tree.ROOT.resolve(name));
        }
        Files.createDirectory(folder.resolve("shm"));
        Path launcher = Files.writeString(folder.resolve("remus"), launcher());
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
    }

    private String launcher() {
        String java = Path.of(System.getProperty("java.home"), "bin").toString();
        return """
                #!/usr/bin/env bash
                set -euo pipefail
                classes=
                main=dev.remus.launcher.Main
                if [[ $1 == run ]]; then
                    shift
                    files=()
                    while [[ ${1:-} == *.java ]]; do
                        files+=("$1")
                        shift
                    done
                    package=$(sed -n 's/^package \\(.*\\);/\\1/p' "${files[0]}")
                    if [[ ${files[0]} != tutorial/* ]]; then
                        classes=$(mktemp -d -p '%s')
                        mkdir -p "$classes/.sources/$(dirname "${package//.//}")"
                        ln -s "$PWD/$(dirname "${files[0]}")" "$classes/.sources/${package//.//}"
                        '%s/javac' -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -g -encoding UTF-8 -proc:none -cp '%s' \\
                            -sourcepath "$classes/.sources" -Xprefer:source -d "$classes" "${files[@]}"
                    fi
                    main=$package.$(basename "${files[0]}" .java)
                fi
                # The reader's own classes go before those of the same names here, which are in the archive.
                path=(%s)
                [[ -z $classes ]] || path=(-cp "$classes:%s")
                exec '%s/java' %s '-Dremus.shm.dir=%s' -Xshare:auto \\
                    -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${path[@]}" "$main" "$@"
                """.formatted(
                        folder,
                        java,
                        System.getProperty("java.class.path"),
                        CLASSES.options().stream().map(Sandbox::quoted).collect(Collectors.joining(" ")),
                        System.getProperty("java.class.path"),
                        java,
                        String.join(" ", JVM_FLAGS),
                        folder.resolve("shm"));
    }

    private static String quoted(String word) {
        return "'" + word + "'";
    }

    /** Runs the blocks one after the other in one shell, and returns what each prints to either stream. */
    List<List<String>> run(List<Page.Block> blocks) throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder();
        for (Page.Block block : blocks) {
            script.append("printf '").append(SEPARATOR).append("\\n'\n");
            block.commands().forEach(command -> script.append(command).append('\n'));
        }
        Path output = folder.resolve(".output");
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        Files.writeString(folder.resolve(".script"), script).toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LC_ALL", "C.UTF-8"); // the pages show the output of a locale with all characters
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("the commands end")
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        List<List<String>> outputs = new ArrayList<>();
        for (String line : Files.readAllLines(output, StandardCharsets.UTF_8)) {
            if (line.equals(SEPARATOR)) {
                outputs.add(new ArrayList<>());
            } else {
                outputs.get(outputs.size() - 1).add(line);
            }
        }
        assertThat(outputs).hasSameSizeAs(blocks);
        return outputs;
    }

    /** Removes the links, so that nothing follows them when the folder is removed. */
    @Override
    public void close() throws IOException {
        for (String name : LINKED) {
            Files.delete(folder.resolve(name));
        }
    }
}
