// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.FabricException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads the native libraries of the verbs fabric from the jar, without any path setting.
 *
 * <p>Each platform has two libraries: {@code libdisni.so} with the native methods that DiSNI declares, and {@code
 * libremus_verbs.so} with our own. Each is copied to a private folder in {@code java.io.tmpdir}, loaded, and deleted at
 * once; it stays mapped while the process runs. DiSNI then loads its library by name, and finds the one in the process
 * (see {@code load.c}).
 *
 * <p>To use a different {@code libdisni.so}, set the system property {@value #PROPERTY} to its path. The value
 * {@value #INSTALLED} selects the one on the JVM's library path. The version must be that of the DiSNI jar.
 */
public final class NativeLibrary {
    /** The system property that selects a different {@code libdisni.so}. */
    public static final String PROPERTY = "remus.verbs.library";

    /** Value of {@link #PROPERTY}: the {@code libdisni.so} on {@code java.library.path}. */
    public static final String INSTALLED = "installed";

    private static final String NAME = "disni";

    private static boolean loaded;

    private NativeLibrary() {}

    /**
     * Loads the libraries unless they are loaded already.
     *
     * @throws FabricException if they cannot be loaded; the message gives the cause and the remedy
     */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        String chosen = System.getProperty(PROPERTY, "");
        if (chosen.isEmpty()) {
            unpackAndLoad("libdisni.so");
        } else if (!chosen.equals(INSTALLED)) {
            load(Path.of(chosen).toAbsolutePath(), "-D" + PROPERTY + "=" + chosen);
        }
        try {
            System.loadLibrary(NAME); // as DiSNI does
        } catch (UnsatisfiedLinkError e) {
            throw new FabricException(
                    "the verbs fabric found no libdisni.so with -D" + PROPERTY + "=" + chosen
                            + ": put its folder on the JVM's library path with -Djava.library.path=FOLDER and set -D"
                            + PROPERTY + "=" + INSTALLED + "; or leave both out, to use the one that comes with it",
                    e);
        }
        unpackAndLoad("libremus_verbs.so");
        loaded = true;
    }

    /** The folder of this platform's libraries in the jar, such as {@code META-INF/native/linux-x86_64}. */
    private static String folder() {
        String architecture = System.getProperty("os.arch");
        return "META-INF/native/" + System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT) + "-"
                + (architecture.equals("amd64") ? "x86_64" : architecture);
    }

    private static void unpackAndLoad(String file) {
        String resource = folder() + "/" + file;
        try (InputStream content = NativeLibrary.class.getClassLoader().getResourceAsStream(resource)) {
            if (content == null) {
                throw new FabricException("the verbs fabric was built without " + resource
                        + ": it needs Linux, a C compiler and the headers of rdma-core; apt-get install gcc libc6-dev"
                        + " libibverbs-dev librdmacm-dev, then ./remus clean and try again");
            }
            Path folder = Files.createTempDirectory("remus-verbs-"); // only its owner may read or write it
            Path copy = folder.resolve(file);
            try {
                Files.copy(content, copy);
                load(copy, resource);
            } finally {
                Files.deleteIfExists(copy);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new FabricException(
                    "the verbs fabric could not copy " + resource + " to " + System.getProperty("java.io.tmpdir")
                            + " (to use another folder, set -Djava.io.tmpdir=FOLDER): " + e,
                    e);
        }
    }

    private static void load(Path library, String origin) {
        try {
            System.load(library.toString());
        } catch (UnsatisfiedLinkError e) {
            throw new FabricException(
                    "the verbs fabric could not load " + origin + ": " + e.getMessage() + advice(e), e);
        }
    }

    private static String advice(UnsatisfiedLinkError e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("libibverbs") || message.contains("librdmacm")) {
            return "; apt-get install rdma-core ibverbs-providers librdmacm1";
        }
        if (message.contains("failed to map segment")) { // the file system is mounted with noexec
            return "; choose a folder from which programs may run with -Djava.io.tmpdir=FOLDER";
        }
        return "";
    }
}
