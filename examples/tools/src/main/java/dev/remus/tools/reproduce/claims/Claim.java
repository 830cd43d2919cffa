// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.claims;

/**
 * A sentence of a document, and the verdict of an experiment on it.
 *
 * @param source the document
 * @param sentence the sentence, shortened if need be
 * @param verdict whether it holds here
 * @param finding by how much, or why it is not judged, as a sentence
 */
public record Claim(String source, String sentence, Verdict verdict, String finding) {
    /** Whether a sentence holds. */
    public enum Verdict {
        /** It does. */
        HOLDS("holds"),
        /** It does not. */
        DOES_NOT_HOLD("does not hold"),
        /** The runs do not suffice. */
        NOT_JUDGED("not judged");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A sentence that is judged. */
    public Claim(String source, String sentence, boolean holds, String finding) {
        this(source, sentence, holds ? Verdict.HOLDS : Verdict.DOES_NOT_HOLD, finding);
    }

    /** A copy that is not judged, for a reason. */
    Claim notJudged(String reason) {
        return new Claim(source, sentence, Verdict.NOT_JUDGED, reason);
    }

    boolean holds() {
        return verdict == Verdict.HOLDS;
    }

    /** The verdict as a row of a table in Markdown. */
    String toMarkdown() {
        return "| " + source + ": \"" + sentence + "\" | " + verdict + " | " + finding + " |\n";
    }

    /** The verdict in three lines. */
    String toText() {
        return String.format("%-15s%s: \"%s\"%n%15s%s%n", verdict, source, sentence, "", finding)
                .replace(System.lineSeparator(), "\n");
    }
}
