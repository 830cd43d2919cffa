package dev.remus.cli.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The process that started this one as a node of a local cluster, if any. It is known by a system property, and it holds
 * the other end of the standard input: when that ends, the parent has ended, however that happened, and so does this
 * process.
 */
public final class Parent {
    private static final String CHILD = "remus.child";
    private static final String RESULTS = "remus.child.results";

    private Parent() {}

    /**
     * The options of the Java VM that tell a process that it has a parent.
     *
     * @param results the folder for the results, if the program leaves any
     */
    public static List<String> flags(Optional<Path> results) {
        List<String> flags = List.of("-D" + CHILD + "=true");
        return results.map(folder -> List.of(flags.get(0), "-D" + RESULTS + "=" + folder))
                .orElse(flags);
    }

    /** Whether this process was started by another one. */
    static boolean exists() {
        return Boolean.getBoolean(CHILD);
    }

    /** The folder that the parent has created for the results. */
    static Optional<Path> results() {
        return Optional.ofNullable(System.getProperty(RESULTS)).map(Path::of);
    }

    /** Ends this process when the parent ends. */
    static void watch(InputStream in) {
        Thread watch = new Thread(
                () -> {
                    awaitEnd(in);
                    Runtime.getRuntime().exit(ExitStatus.FAILED);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEnd(InputStream in) {
        try {
            while (in.read() >= 0) {}
        } catch (IOException e) {
            // the pipe is broken: that is an end too
        }
    }
}
