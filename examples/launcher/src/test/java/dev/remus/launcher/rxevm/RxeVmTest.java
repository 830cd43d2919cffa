// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.rxevm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.await.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./remus rxe-vm} runs a command in a virtual machine. Tests that boot it are skipped where it is not installed.
 */
@Tag("processes")
@Tag("programs")
@Tag("any-jdk")
@Timeout(600)
class RxeVmTest {
    private static final Path SCRIPT = Path.of("../rxe-vm/rxe-vm").toAbsolutePath();

    /** The programs that the script needs to detect other missing programs. */
    private static final List<String> TOOLS = List.of("dirname", "uname", "sed", "sort");

    @TempDir
    private Path folder;

    private ProcessBuilder script(String... arguments) {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("TMPDIR", folder.toString());
        return builder;
    }

    private int run(ProcessBuilder builder) throws Exception {
        Process process = builder.redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        try {
            assertThat(process.waitFor(500, TimeUnit.SECONDS)).as("it ends").isTrue();
            return process.exitValue();
        } finally {
            process.destroy();
        }
    }

    private String output(String stream) throws IOException {
        return Files.readString(folder.resolve(stream), StandardCharsets.UTF_8);
    }

    private List<Path> leftovers() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("remus-rxe-vm"))
                    .toList();
        }
    }

    private void assumeInstalled() throws Exception {
        assumeTrue(run(script("--check")) == 0, () -> {
            try {
                return "no virtual machine: " + output("out");
            } catch (IOException e) {
                return e.toString();
            }
        });
    }

    @Test
    void theCommandSeesThisFolderAndItsOutputAndStatusAreReturned() throws Exception {
        assumeInstalled();
        Path kept = Files.createDirectory(folder.resolve("kept"));
        Files.writeString(folder.resolve("input"), "of the host\n");
        int status = run(script(
                "--writable",
                kept.toString(),
                "--",
                "bash",
                "-c",
                "cat input; pwd; ls /sys/class/infiniband; ulimit -l; getent hosts node1; echo complaint >&2;"
                        + " echo new >kept/file; echo lost >lost; exit 42"));
        assertThat(output("out")).isEqualTo("of the host\n" + folder + "\nrxe0\nunlimited\n10.0.2.16       node1\n");
        assertThat(output("err")).isEqualTo("complaint\n");
        assertThat(status).isEqualTo(42);
        assertThat(kept.resolve("file")).hasContent("new");
        assertThat(folder.resolve("lost")).doesNotExist();
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aSignalEndsTheMachineAndLeavesNothing() throws Exception {
        assumeInstalled();
        Process process = script("--", "bash", "-c", "echo started; sleep 1000").start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo("started");
            List<ProcessHandle> all = process.descendants().toList();
            assertThat(all).isNotEmpty();
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
            Await.end(all);
            assertThat(leftovers()).isEmpty();
        } finally {
            process.destroy();
        }
    }

    @Test
    void missingProgramsAreReportedInOneMessageWithTheInstallCommand() throws Exception {
        Path tools = Files.createDirectory(folder.resolve("tools"));
        for (String tool : TOOLS) {
            Path passedOn =
                    Files.writeString(tools.resolve(tool), "#!/bin/sh\nPATH=/usr/bin:/bin\nexec " + tool + " \"$@\"\n");
            assertThat(passedOn.toFile().setExecutable(true)).isTrue();
        }
        ProcessBuilder builder = script("--", "true");
        builder.command().add(0, "/bin/bash");
        builder.environment().put("PATH", tools.toString());
        assertThat(run(builder)).isEqualTo(2);
        assertThat(output("err"))
                .startsWith("rxe-vm: missing: qemu-system-x86_64, ")
                .contains("apt-get install qemu-system-x86 linux-image-amd64")
                .hasLineCount(1);
    }

    @Test
    void anUnwritableBuildFolderIsNamedWithTheReason() throws Exception {
        assumeInstalled();
        Path copy = Files.createDirectories(folder.resolve("checkout/examples/rxe-vm"));
        Files.copy(SCRIPT, copy.resolve("rxe-vm"), StandardCopyOption.COPY_ATTRIBUTES);
        Path target = Files.createFile(folder.resolve("checkout/target"));
        ProcessBuilder builder = script("--", "true");
        builder.command().set(0, copy.resolve("rxe-vm").toString());
        assertThat(run(builder)).isEqualTo(2);
        assertThat(output("err"))
                .startsWith("rxe-vm: cannot make " + target + "/rxe-vm (")
                .contains("copy it and work in the copy")
                .hasLineCount(1);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aMissingCommandIsReported() throws Exception {
        assertThat(run(script())).isEqualTo(2);
        assertThat(output("err")).contains("there is no command to run");
    }

    @Test
    void anUnknownOptionIsRejected() throws Exception {
        assertThat(run(script("--procesors", "2"))).isEqualTo(2);
        assertThat(output("err")).contains("unknown option --procesors; did you mean --processors?");
    }

    @Test
    void aMonitorThatIsNoNamedPipeIsRejected() throws Exception {
        assertThat(run(script("--monitor", folder.toString(), "--", "true"))).isEqualTo(2);
        assertThat(output("err")).contains("--monitor needs a named pipe, and '" + folder + "' is none");
    }

    @Test
    void helpListsTheOptions() throws Exception {
        assertThat(run(script("--help"))).isZero();
        assertThat(output("out"))
                .contains("--memory <MB>")
                .contains("--writable <folder>")
                .contains("Exit status");
    }

    @Test
    void theClassArchiveOfTheTestsIsMadeWithATestThatExists() throws Exception {
        String script = Files.readString(SCRIPT.resolveSibling("class-archive"), StandardCharsets.UTF_8);
        Matcher selected = Pattern.compile("--select-class ([\\w.]+)").matcher(script);
        assertThat(selected.find()).isTrue();
        assertThat(Class.forName(selected.group(1))).isNotNull();
    }
}
