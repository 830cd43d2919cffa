// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

/**
 * The characters of a {@link Timeline} and the room that they have.
 *
 * @param width most characters on a line
 * @param ascii whether to do without the characters that draw lines
 */
record TimelineStyle(int width, boolean ascii) {
    /** Ends a text that was cut. */
    private static final String CUT = "...";

    /** Marks a return. */
    String arrow() {
        return ascii ? " <--" : " ◄──";
    }

    /** Words of at most this length. */
    String cut(String words, int length) {
        return words.length() <= length ? words : words.substring(0, length - CUT.length()) + CUT;
    }
}
