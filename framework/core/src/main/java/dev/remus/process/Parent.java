// SPDX-License-Identifier: Apache-2.0
package dev.remus.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The process that started this one as a node of a cluster on this machine, if any. A system property marks a child
 * process. The parent holds the other end of the child's standard input. The end of that input means that the parent
 * has ended, so the child ends too.
 */
public final class Parent {
    private static final int FAILED = 1;
    private static final String CHILD = "remus.child";
    private static final String RESULTS = "remus.child.results";

    private Parent() {}

    /**
     * The JVM options that mark a child process.
     *
     * @param results the folder for results, if the program leaves any
     */
    public static List<String> flags(Optional<Path> results) {
        List<String> flags = List.of("-D" + CHILD + "=true");
        return results.map(folder -> List.of(flags.get(0), "-D" + RESULTS + "=" + folder))
                .orElse(flags);
    }

    /** Whether this process is a child process. */
    public static boolean exists() {
        return Boolean.getBoolean(CHILD);
    }

    /** The folder for results that the parent has created. */
    public static Optional<Path> results() {
        return Optional.ofNullable(System.getProperty(RESULTS)).map(Path::of);
    }

    /** Starts a thread that ends this process when the parent ends. */
    public static void watch(InputStream in) {
        Thread watch = new Thread(
                () -> {
                    awaitEnd(in);
                    Runtime.getRuntime().exit(FAILED);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEnd(InputStream in) {
        try {
            while (in.read() >= 0) {}
        } catch (IOException e) {
            // a broken pipe is an end too
        }
    }
}
