// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.launcher.Main;
import java.util.ArrayList;
import java.util.List;

/** Runs several command lines one after the other in one JVM. */
final class SeveralPrograms {
    /** The separator between command lines. */
    static final String THEN = "then";

    private SeveralPrograms() {}

    /** Ends with the status of the first command that fails. */
    public static void main(String... args) {
        List<String> line = new ArrayList<>();
        for (String word : args) {
            if (word.equals(THEN)) {
                run(line);
                line.clear();
            } else {
                line.add(word);
            }
        }
        run(line);
        System.exit(ExitStatus.OK);
    }

    private static void run(List<String> line) {
        int status = Main.run(line.toArray(String[]::new), System.out, System.err);
        if (status != ExitStatus.OK) {
            System.err.println("status " + status + " of " + line);
            System.exit(status);
        }
    }
}
