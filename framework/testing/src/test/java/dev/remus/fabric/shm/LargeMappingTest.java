// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.Words;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Segments of more than 1 GiB. Their files are sparse, so they take no space. */
@Timeout(120)
class LargeMappingTest {
    private static final Path MAPS = Path.of("/proc/self/maps");

    private static final List<String> FLAGS = List.of(
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");

    private static final List<String> QUIET =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void chooseFile() {
        file = folder.resolve("segment");
    }

    private static void create(Path file, long bytes) throws IOException {
        try (RandomAccessFile created = new RandomAccessFile(file.toFile(), "rw")) {
            created.setLength(bytes);
        }
    }

    @Test
    void theLargestSegmentWithoutFlagsCanBeUsedUpToItsLastWord() throws Exception {
        create(file, Mapping.MAX_BYTES_WITHOUT_FLAGS);
        Mapping mapping = new Mapping(file, Mapping.MAX_BYTES_WITHOUT_FLAGS);
        Words.write(mapping.address() + mapping.bytes() - Long.BYTES, 7);
        assertThat(Words.read(mapping.address() + mapping.bytes() - Long.BYTES)).isEqualTo(7);
    }

    @Test
    void anInterruptedThreadMapsAndStaysInterrupted() throws Exception {
        create(file, 4096);
        Thread.currentThread().interrupt();
        try {
            assertThat(new Mapping(file, 4096).address()).isNotZero();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void largerSegmentsAreRefusedWithoutTheFlagsAndTheMessageNamesThem() throws Exception {
        Module jdk = Object.class.getModule();
        assumeTrue(!jdk.isExported("sun.nio.ch", getClass().getModule()), "this JVM has the flags");
        create(file, 1L << 31);
        assertThatThrownBy(() -> new Mapping(file, 1L << 31))
                .isInstanceOf(FabricException.class)
                .hasMessageContainingAll("2147483648 bytes", FLAGS.get(0), FLAGS.get(1));
    }

    @Test
    @Tag("processes")
    void largerSegmentsAreMappedWithTheFlagsAndUnmappedOnceUnreachable() throws Exception {
        assumeTrue(Files.isReadable(MAPS), "only on Linux");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        if (Runtime.version().feature() >= 24) {
            command.addAll(QUIET);
        }
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), LargeMappingTest.class.getName()));
        command.add(file.toString());
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output, StandardCharsets.UTF_8))
                .isEqualTo("mapped, last word 7%nunmapped%n".formatted());
    }

    /** The other process of the test above: maps a file of the largest size, uses it and releases it. */
    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        create(file, 1L << 36);
        use(file);
        for (int i = 0; i < 3_000 && isMapped(file); i++) {
            System.gc();
            Thread.sleep(20);
        }
        System.out.println(isMapped(file) ? "still mapped" : "unmapped");
    }

    private static void use(Path file) throws IOException {
        Mapping mapping = new Mapping(file, 1L << 36);
        long last = mapping.address() + mapping.bytes() - Long.BYTES;
        Words.write(last, 7);
        System.out.println((isMapped(file) ? "mapped" : "not mapped") + ", last word " + Words.read(last));
    }

    private static boolean isMapped(Path file) throws IOException {
        return Files.readString(MAPS, StandardCharsets.UTF_8).lines().anyMatch(line -> line.endsWith(file.toString()));
    }
}
