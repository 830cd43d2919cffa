// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.repeat;

import dev.remus.options.RemusOptions;
import dev.remus.tools.results.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command that repeats a measurement: the recorded one, with the seed that it used and another folder for results.
 */
final class RepeatableCommand {
    /** Options that make a command load or start code which the user names. */
    private static final List<String> CODE = List.of("--class-path", "--jdk");

    private static final String OUT = RemusOptions.OUT.name();
    private static final String NODE_ID = RemusOptions.NODE_ID.name();
    private static final String END_OF_OPTIONS = "--";

    private final List<String> recorded;
    private final Map<String, String> seeds;

    RepeatableCommand(Provenance provenance) {
        recorded = provenance.command();
        seeds = provenance.seeds();
    }

    /** The name of the command. */
    String name() {
        return recorded.get(0);
    }

    /** Whether it ran one node of several that were started one by one. */
    boolean isOneNodeOfSeveral() {
        return has(NODE_ID);
    }

    /** Its options that make it load or start code which the user names, with their values. */
    List<String> code() {
        List<String> code = new ArrayList<>();
        for (int i = 0; i < options(); i++) {
            for (String option : CODE) {
                if (is(option, recorded.get(i))) {
                    boolean isAlone = recorded.get(i).equals(option) && i + 1 < recorded.size();
                    code.add(recorded.get(i) + (isAlone ? " " + recorded.get(i + 1) : ""));
                }
            }
        }
        return code;
    }

    /**
     * The words of the command.
     *
     * @param out the folder for the new folder of results
     */
    List<String> words(Path out) {
        List<String> words = new ArrayList<>();
        int first = recorded.size();
        for (int i = 0; i < recorded.size(); i++) {
            if (i < options() && is(OUT, recorded.get(i))) {
                i += recorded.get(i).equals(OUT) ? 1 : 0;
                continue;
            }
            if (recorded.get(i).startsWith("-")) {
                first = Math.min(first, words.size());
            }
            words.add(recorded.get(i));
        }
        List<String> added = new ArrayList<>();
        seeds.forEach((option, seed) -> {
            if (!has(option)) {
                added.add(option + "=" + seed);
            }
        });
        added.add(OUT + "=" + out);
        words.addAll(Math.min(first, words.size()), added);
        return words;
    }

    private boolean has(String option) {
        return recorded.subList(0, options()).stream().anyMatch(word -> is(option, word));
    }

    private static boolean is(String option, String word) {
        return word.equals(option) || word.startsWith(option + "=");
    }

    /** The number of words before those that are no options. */
    private int options() {
        int end = recorded.indexOf(END_OF_OPTIONS);
        return end < 0 ? recorded.size() : end;
    }
}
