package dev.remus.examples;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the command that somebody meant who typed one that does not exist. */
final class Spelling {
    private Spelling() {}

    /** The nearest of the known names; empty when none is near enough to be helpful. */
    static Optional<String> nearest(String typed, List<String> known) {
        return known.stream()
                .filter(name -> distance(typed, name) <= Math.max(2, name.length() / 3) || isBeginning(typed, name))
                .min(Comparator.comparingInt(name -> distance(typed, name)));
    }

    private static boolean isBeginning(String typed, String name) {
        return typed.length() >= 2 && name.startsWith(typed);
    }

    /** How many letters are to be inserted, deleted or replaced. */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }
}
