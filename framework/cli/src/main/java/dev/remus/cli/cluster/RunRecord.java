package dev.remus.cli.cluster;

import dev.remus.cli.progress.ProgressLog;
import java.util.List;

/**
 * The facts of a run that only the process that started it has.
 *
 * @param command the words of its command line, starting with the name of the program
 * @param javaFlags the JVM options of each node
 * @param log the progress of the nodes over time
 */
public record RunRecord(List<String> command, List<String> javaFlags, ProgressLog log) {
    /** The command line, quoted for a shell. */
    public String commandLine() {
        StringBuilder line = new StringBuilder("./remus");
        command.forEach(word -> line.append(' ').append(quoted(word)));
        return line.toString();
    }

    /** A word, quoted for a shell if necessary. */
    public static String quoted(String word) {
        boolean plain = word.matches("[A-Za-z0-9_@%+=:,./-]+");
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
