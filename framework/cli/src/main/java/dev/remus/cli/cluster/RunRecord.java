// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.cli.progress.ProgressLog;
import java.time.Instant;
import java.util.List;

/**
 * The facts of a run that only the process that started it has.
 *
 * @param started the time at which it began
 * @param command the words of its command line, starting with the name of the program
 * @param javaFlags the JVM options of each node
 * @param log the progress of the nodes over time
 */
public record RunRecord(Instant started, List<String> command, List<String> javaFlags, ProgressLog log) {
    /** Copies the lists. */
    public RunRecord {
        command = List.copyOf(command);
        javaFlags = List.copyOf(javaFlags);
    }

    /** The command line, quoted for a shell. */
    public String commandLine() {
        return commandLine(command);
    }

    /** The command line with these words after {@code ./remus}, quoted for a shell. */
    public static String commandLine(List<String> command) {
        StringBuilder line = new StringBuilder("./remus");
        command.forEach(word -> line.append(' ').append(quoted(word)));
        return line.toString();
    }

    /** A word, quoted for a shell if necessary; control characters become escapes that bash reads. */
    public static String quoted(String word) {
        boolean plain = word.matches("[A-Za-z0-9_@%+=:,./-]+");
        if (plain) {
            return word;
        }
        if (word.chars().anyMatch(Character::isISOControl)) {
            return escaped(word);
        }
        return "'" + word.replace("'", "'\\''") + "'";
    }

    private static String escaped(String word) {
        StringBuilder text = new StringBuilder("$'");
        word.chars().forEach(c -> {
            if (Character.isISOControl(c)) {
                text.append(c == '\n' ? "\\n" : String.format("\\u%04x", c));
            } else {
                text.append(c == '\'' || c == '\\' ? "\\" : "").append((char) c);
            }
        });
        return text.append('\'').toString();
    }
}
