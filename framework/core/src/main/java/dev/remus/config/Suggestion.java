// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that is nearest to a mistyped one: of options, choices, commands, fabrics or scenarios. */
public final class Suggestion {
    private Suggestion() {}

    /**
     * The nearest of the known names.
     *
     * @param typed the unknown name
     * @param known the names to choose from
     * @return empty if no name is near enough
     */
    public static Optional<String> nearest(String typed, Collection<String> known) {
        String wanted = bare(typed);
        // With more than one mistake in three letters, short names would resemble anything.
        int limit = Math.max(1, wanted.length() / 3);
        return known.stream()
                .filter(name -> distance(wanted, bare(name)) <= limit)
                .min(Comparator.comparingInt(name -> distance(wanted, bare(name))));
    }

    /**
     * The end of an error message about an unknown name.
     *
     * @param typed the unknown name
     * @param known the names to choose from
     * @return {@code "; did you mean <name>?"}, or an empty text if no name is near enough
     */
    public static String didYouMean(String typed, Collection<String> known) {
        return nearest(typed, known).map(name -> "; did you mean " + name + "?").orElse("");
    }

    private static String bare(String name) {
        return name.replaceFirst("^-+", "").toLowerCase(Locale.ROOT);
    }

    /**
     * The number of letters to insert, delete, replace or swap; 1 if the name was only cut short, as users of
     * abbreviated options do.
     */
    private static int distance(String typed, String name) {
        boolean abbreviated = typed.length() >= 3 && name.startsWith(typed) && !name.equals(typed);
        return abbreviated ? 1 : editDistance(typed, name);
    }

    private static int editDistance(String a, String b) {
        // cost[i][j] turns the first i letters of a into the first j letters of b.
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replace, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
