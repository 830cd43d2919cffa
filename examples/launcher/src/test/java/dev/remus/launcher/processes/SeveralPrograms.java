package dev.remus.launcher.processes;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.launcher.Main;
import java.util.ArrayList;
import java.util.List;

/** Runs several command lines one after the other: as many programs as one wants, and one start of a Java VM. */
final class SeveralPrograms {
    /** Ends a command line. */
    static final String THEN = "then";

    private SeveralPrograms() {}

    /** Ends with the status of the first that fails. */
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
