// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The stacks of threads, for the report of a test that hangs. */
final class Stacks {
    private static final int MAX_THREADS = 1000;

    private Stacks() {}

    /** A text with the name, the state and the stack of each live thread of a group. */
    static String of(ThreadGroup group) {
        Thread[] threads = new Thread[MAX_THREADS];
        int count = group.enumerate(threads);
        return Arrays.stream(threads, 0, count).map(Stacks::of).collect(Collectors.joining());
    }

    private static String of(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(frame -> "        at " + frame + "\n")
                .collect(
                        Collectors.joining("", "    thread " + thread.getName() + ", " + thread.getState() + "\n", ""));
    }
}
