package dev.remus.tools.reproduce.claims;

/**
 * A sentence of a document, and the verdict of an experiment on it.
 *
 * @param source the document
 * @param sentence the sentence, shortened if need be
 * @param holds whether it holds here
 * @param finding by how much, as a sentence
 */
public record Claim(String source, String sentence, boolean holds, String finding) {
    /** The verdict in three lines. */
    public String toText() {
        return (holds ? "holds          " : "does not hold  ") + source + ": \"" + sentence + "\"\n               "
                + finding + "\n";
    }
}
