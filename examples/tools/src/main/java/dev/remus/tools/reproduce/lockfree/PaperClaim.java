// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

/**
 * A statement of the paper beside our result.
 *
 * @param paper the statement
 * @param verdict how they compare
 * @param ours our result; empty if it is not judged
 * @param why the reason of a difference, as far as it is known, or that the statement is not judged; else empty
 */
record PaperClaim(String paper, Verdict verdict, String ours, String why) {
    /** How our result compares with a statement. */
    enum Verdict {
        /** It confirms the statement. */
        SAME("same"),
        /** It contradicts the statement. */
        DIFFERENT("different"),
        /** The run does not suffice. */
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

    static PaperClaim same(String paper, String ours) {
        return new PaperClaim(paper, Verdict.SAME, ours, "");
    }

    static PaperClaim different(String paper, String ours, String why) {
        return new PaperClaim(paper, Verdict.DIFFERENT, ours, why);
    }

    static PaperClaim notJudged(String paper, String why) {
        return new PaperClaim(paper, Verdict.NOT_JUDGED, "", why);
    }

    /** The statement, the verdict and the reason, a line each. */
    String toText() {
        return switch (verdict) {
            case SAME -> "paper: " + paper + "\nsame: " + ours;
            case DIFFERENT -> "paper: " + paper + "\ndifferent: " + ours + "\nbecause: " + why;
            case NOT_JUDGED -> "paper: " + paper + "\nnot judged: " + why;
        };
    }
}
