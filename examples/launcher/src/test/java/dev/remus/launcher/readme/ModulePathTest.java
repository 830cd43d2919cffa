// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.readme.Readme;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The README's structure as a module: compiled and run on the module path, without JVM flags. */
@Tag("processes")
@Timeout(600)
class ModulePathTest {
    private static final int TIMEOUT_SECONDS = 500;

    /** The module path of a program that imports the framework, as prefixes of jar names. */
    private static final List<String> NEEDED =
            List.of("remus-framework-", "chronicle-bytes-", "chronicle-core-", "posix-", "slf4j-api-", "jspecify-");

    private static final List<String> OPTIONAL = List.of("disni-");

    @TempDir
    private Path folder;

    @BeforeEach
    void theModulesArePackaged() {
        assumeThat(jars(NEEDED))
                .as("jars, which exist in the build's phase verify")
                .hasSize(NEEDED.size());
    }

    private static List<String> jars(List<String> names) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar") && !entry.endsWith("-tests.jar"))
                .filter(entry ->
                        names.stream().anyMatch(Path.of(entry).getFileName().toString()::startsWith))
                .toList();
    }

    private static String modulePath(List<String> first, List<String> more) {
        return Stream.concat(first.stream(), more.stream()).collect(Collectors.joining(File.pathSeparator));
    }

    private Path compileAgainst(List<String> modules, String program, String source) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("src/example"));
        Path classes = folder.resolve("classes");
        Path structure = Files.writeString(sources.resolve(program + ".java"), "package example;\n" + source);
        Path module = Files.writeString(
                folder.resolve("src/module-info.java"), "module example { requires dev.remus.framework; }\n");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-p",
                                modulePath(modules, List.of()),
                                "-d",
                                classes.toString(),
                                module.toString(),
                                structure.toString()))
                .as("exit status of the compiler")
                .isZero();
        return classes;
    }

    private List<String> run(List<String> modules) throws Exception {
        return run(modules, "RemoteStack", Readme.read().structure());
    }

    private List<String> run(List<String> modules, String program, String source) throws Exception {
        Path classes = compileAgainst(modules, program, source);
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors"); // contains the warnings of newer JVMs
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-p", modulePath(modules, List.of(classes.toString()))));
        command.addAll(List.of("-m", "example/example." + program));
        Process process = new ProcessBuilder(command)
                .redirectError(errors.toFile())
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }

    @Test
    void aModularProgramNeedsNoFlagsAndNamesOnlyTheFramework() throws Exception {
        List<String> modules = new ArrayList<>(jars(NEEDED));
        modules.addAll(jars(OPTIONAL));
        Readme.assertIsOutputOfStructure(run(modules));
    }

    @Test
    void aProgramWithoutRdmaNeedsNoDisni() throws Exception {
        Readme.assertIsOutputOfStructure(run(jars(NEEDED)));
    }

    @Test
    void aModularProgramMarshalsObjectsByChronicleBytesAndNamesOnlyTheFramework() throws Exception {
        assertThat(run(jars(NEEDED), "Marshal", """
                import dev.remus.config.ClusterConfig;
                import dev.remus.node.*;
                import dev.remus.record.*;
                import net.openhft.chronicle.bytes.*;

                class Marshal {
                    static final class Order implements BytesMarshallable {
                        long id;
                        String text = "";

                        @Override
                        public void readMarshallable(BytesIn<?> bytes) {
                            id = bytes.readLong();
                            text = bytes.readUtf8();
                        }

                        @Override
                        public void writeMarshallable(BytesOut<?> bytes) {
                            bytes.writeLong(id).writeUtf8(text);
                        }
                    }

                    static final class Trade extends RemoteRecord {
                        final Atomic<Order> order = field(Codecs.marshallable(Order::new, 40));
                        final RemoteBytes note = bytesField(24);
                    }

                    public static void main(String[] args) throws Exception {
                        ClusterConfig config = ClusterConfig.builder()
                                .cluster("marshal-" + ProcessHandle.current().pid())
                                .memoryNodes(0, 0)
                                .computeNodes(0, 0)
                                .threadsPerNode(1)
                                .build();
                        try (MemoryNode memory = MemoryNode.start(config, 0);
                                ComputeNode compute = ComputeNode.connect(config, 0)) {
                            compute.runThreads(ct -> {
                                Trade trade = new Trade();
                                trade.allocate(ct);
                                Order order = new Order();
                                order.id = 7;
                                order.text = "seven";
                                trade.order.store(order, ct);
                                Bytes<byte[]> bytes = Bytes.wrapForWrite(new byte[24]);
                                order.writeMarshallable(bytes);
                                trade.note.store(bytes, ct);
                                bytes.clear();
                                trade.note.load(bytes, 24, ct);
                                System.out.println(trade.order.load(ct).text + " " + bytes.readLong());
                            });
                        }
                    }
                }
                """)).containsExactly("seven 7");
    }
}
