// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the native half, on any Linux with a C compiler and the headers of rdma-core. Skipped elsewhere. */
@Tag("processes")
@Tag("programs")
@Tag("oldest-jdk")
@Timeout(600)
class NativesTest {
    private static final Path SOURCES = Path.of("../core/src/main/native");
    private static final Path CLASSES = Path.of("../core/target/classes");
    private static final Path TESTS = Path.of("src/test/native");

    /** The sources of libdisni.so, except load.c, and one of libremus_verbs.so. */
    private static final List<String> DISNI =
            List.of("layout", "handles", "errors", "waiting", "connection", "resources", "requests", "options");

    private static final String JAVA_HOME = System.getProperty("java.home");

    @TempDir
    private Path folder;

    private static List<String> sources(Path of, List<String> names) {
        return names.stream().map(name -> of.resolve(name + ".c").toString()).toList();
    }

    /** Runs a command; returns its exit status and its output. */
    private String run(List<String> command) throws Exception {
        Path output = Files.createTempFile(folder, "output", "");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(500, TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return process.exitValue() + "\n" + Files.readString(output, StandardCharsets.UTF_8);
    }

    private List<String> build(Path sources, Path target) {
        return List.of("sh", sources.resolve("build.sh").toString(), target.toString(), JAVA_HOME);
    }

    private void assumeBuilt() {
        assumeTrue(
                Files.exists(CLASSES.resolve("META-INF/native")),
                "the native half was not built: no C compiler or no headers of rdma-core");
    }

    /** Runs the native methods on fakes of the JVM and of rdma-core. */
    @Test
    void argumentsAreCheckedAndErrnoIsReportedWithoutASingleWrongAccessToMemory() throws Exception {
        assumeBuilt();
        Path program = folder.resolve("natives_test");
        List<String> compile = new ArrayList<>(List.of("cc", "-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror"));
        compile.addAll(List.of("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-pthread"));
        compile.addAll(List.of("-I" + JAVA_HOME + "/include", "-I" + JAVA_HOME + "/include/linux", "-I" + SOURCES));
        compile.addAll(List.of("-o", program.toString()));
        compile.addAll(sources(SOURCES, DISNI));
        compile.addAll(sources(TESTS, List.of("natives_test", "fake_jvm", "fake_rdma")));
        String compiled = run(compile);
        assumeTrue(!compiled.contains("libasan"), "no AddressSanitizer here: " + compiled);
        assertThat(compiled).isEqualTo("0\n");
        assertThat(run(List.of(program.toString()))).isEqualTo("0\n0 checks failed\n");
    }

    @Test
    void aBuildWithoutACompilerIsTriedAgainOnceThereIsOne() throws Exception {
        assumeBuilt();
        Path target = Files.createDirectories(folder.resolve("target/classes"));
        List<String> retry = List.of("sh", SOURCES.resolve("build.sh").toString(), "--retry", target.toString());
        List<String> withoutCompiler = List.of("env", "CC=no-such-compiler");
        assertThat(run(retry)).as("nothing was left out").isEqualTo("1\n");
        assertThat(run(both(withoutCompiler, build(SOURCES, target))))
                .startsWith("0\n")
                .contains("the C compiler no-such-compiler is missing; apt-get install gcc");
        assertThat(run(both(withoutCompiler, retry))).as("still none").isEqualTo("1\n");
        assertThat(run(retry)).as("there is one").isEqualTo("0\n");
        assertThat(run(build(SOURCES, target))).isEqualTo("0\n");
        assertThat(target.resolve("META-INF/native")).isNotEmptyDirectory();
        assertThat(run(retry)).as("nothing is left out").isEqualTo("1\n");
    }

    private static List<String> both(List<String> first, List<String> then) {
        List<String> words = new ArrayList<>(first);
        words.addAll(then);
        return words;
    }

    @Test
    void theSameSourcesElsewhereGiveTheSameBytes() throws Exception {
        assumeBuilt();
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                Files.copy(file, elsewhere.resolve(file.getFileName()));
            }
        }
        assertThat(run(build(elsewhere, folder.resolve("target")))).isEqualTo("0\n");
        for (String library : List.of("libdisni.so", "libremus_verbs.so")) {
            String name = "META-INF/native/linux-"
                    + (System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch")) + "/"
                    + library;
            assertThat(Files.mismatch(
                            CLASSES.resolve(name), folder.resolve("target").resolve(name)))
                    .as(library)
                    .isEqualTo(-1);
        }
    }

    @Test
    void withoutACompilerTheBuildPassesAndReportsIt() throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "CC=no-such-compiler"));
        command.addAll(build(SOURCES, folder.resolve("target")));
        assertThat(run(command))
                .startsWith("0\n")
                .contains("no-such-compiler is missing; apt-get install gcc")
                .hasLineCount(2);
    }

    @Test
    void loadingLeavesNoFileBehind() {
        assumeBuilt();
        NativeLibrary.load();
        NativeLibrary.load(); // has been done
        assertThat(Path.of(System.getProperty("java.io.tmpdir"))).satisfies(temporary -> {
            try (Stream<Path> left = Files.list(temporary)) {
                assertThat(left).noneMatch(file -> file.getFileName().toString().startsWith("remus-verbs-"));
            }
        });
    }

    @Test
    void memoryIsZeroedAndPageAlignedAndCanBeFreed() throws Exception {
        assumeBuilt();
        NativeLibrary.load();
        long bytes = 4 << 20;
        long address = NativeMemory.allocate(bytes);
        assertThat(address).isPositive();
        assertThat(address % 4096).isZero();
        NativeMemory.free(address, bytes);
    }

    @Test
    void memoryThatCannotBeAllocatedIsRefusedWithItsSize() {
        assumeBuilt();
        NativeLibrary.load();
        assertThatThrownBy(() -> NativeMemory.allocate(1L << 60))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("mmap: 1152921504606846976 bytes: Cannot allocate memory");
        assertThatThrownBy(() -> NativeMemory.allocate(-1)).hasMessageContaining("the number of bytes is -1");
        assertThatThrownBy(() -> NativeMemory.free(7, 4096)).hasMessageContaining("be a multiple of 4096");
    }

    @Test
    void anUnknownDeviceIsRefusedWithItsName() {
        assumeBuilt();
        NativeLibrary.load();
        assertThatThrownBy(() -> Device.atomicsOf("no-such-device"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-device");
        assertThatThrownBy(() -> Device.name(0)).hasMessageContaining("the address of the device context is 0x0");
    }
}
