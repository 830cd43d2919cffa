// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim.source;

import java.util.Arrays;
import java.util.List;

/** Finds the line of source for which a thread works: the innermost one outside the framework's own layers. */
public final class SourceLine {
    /** The beginnings of the names of classes that carry out operations for others. */
    private static final List<String> PLUMBING = List.of(
            "java.",
            "jdk.",
            "dev.remus.fabric.",
            "dev.remus.memory.",
            "dev.remus.node.",
            "dev.remus.record.",
            "dev.remus.check.",
            "dev.remus.simulation.SimulatedCluster");

    private SourceLine() {}

    /** The calling thread's line, such as {@code LazyListSet.java:123}; empty if all of its stack is plumbing. */
    public static String ofCaller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> isOutside(frame.getClassName()))
                        .findFirst()
                        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                        .orElse(""));
    }

    /** The line in which something was thrown, in the same form. */
    public static String of(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                .filter(frame -> isOutside(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("");
    }

    private static boolean isOutside(String className) {
        return PLUMBING.stream().noneMatch(className::startsWith);
    }
}
