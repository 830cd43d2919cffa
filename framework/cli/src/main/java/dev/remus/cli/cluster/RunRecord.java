package dev.remus.cli.cluster;

import dev.remus.cli.progress.ProgressLog;
import java.util.List;

/**
 * The facts about a run that only its starter has.
 *
 * @param command the words of its command line, the name of the program first
 * @param javaFlags the options of the Java VM of each node
 * @param log how far the nodes were when
 */
public record RunRecord(List<String> command, List<String> javaFlags, ProgressLog log) {
    /** The command line as it can be pasted into a shell. */
    public String commandLine() {
        StringBuilder line = new StringBuilder("./remus");
        command.forEach(word -> line.append(' ').append(quoted(word)));
        return line.toString();
    }

    /** A word as a shell takes it. */
    public static String quoted(String word) {
        boolean plain = word.matches("[A-Za-z0-9_@%+=:,./-]+");
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
