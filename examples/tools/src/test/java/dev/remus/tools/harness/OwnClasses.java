// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/**
 * A user's set, compiled into a folder and into a jar file that are on no class path of the tests.
 *
 * @param folder the folder with its class
 * @param jar a jar file with the same class
 */
public record OwnClasses(Path folder, Path jar) {
    /** The class name of the set. */
    public static final String SET = "own.FidSet";

    private static final String SOURCE = """
            package own;

            import dev.remus.memory.RdmaPtr;
            import dev.remus.node.ComputeThread;
            import dev.remus.structures.RemoteLongSet;
            import dev.remus.structures.LongLazyListSet;

            public final class FidSet implements RemoteLongSet {
                private final LongLazyListSet list;

                public static RdmaPtr<?> create(ComputeThread ct) {
                    return LongLazyListSet.create(ct);
                }

                @SuppressWarnings({"unchecked", "rawtypes"})
                public FidSet(RdmaPtr<?> This) {
                    list = new LongLazyListSet((RdmaPtr) This);
                }

                @Override
                public boolean contains(long key, ComputeThread ct) {
                    return list.contains(key, ct);
                }

                @Override
                public boolean insert(long key, ComputeThread ct) {
                    return list.insert(key, ct);
                }

                @Override
                public boolean remove(long key, ComputeThread ct) {
                    return list.remove(key, ct);
                }

                @Override
                public long checkedSize(ComputeThread ct) {
                    return list.checkedSize(ct);
                }

                @Override
                public void destroy(ComputeThread ct) {
                    list.destroy(ct);
                }
            }
            """;

    /** Compiles the set below a folder. */
    public static OwnClasses compile(Path below) throws IOException {
        Path source =
                Files.writeString(Files.createDirectory(below.resolve("source")).resolve("FidSet.java"), SOURCE);
        Path classes = Files.createDirectory(below.resolve("classes"));
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(status).isZero();
        Path jar = below.resolve("own.jar");
        String name = "own/FidSet.class";
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            entries.putNextEntry(new JarEntry(name));
            Files.copy(classes.resolve(name), entries);
        }
        return new OwnClasses(classes, jar);
    }
}
