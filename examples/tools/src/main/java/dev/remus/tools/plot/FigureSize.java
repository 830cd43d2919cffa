// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

/**
 * The size of a {@link Figure}.
 *
 * @param width the width in pixels, of which an inch has 96; a PNG has two for each
 * @param height the height in pixels
 * @param fontSize the size of its text in pixels
 */
public record FigureSize(int width, int height, int fontSize) {
    /** The size without options: text of a figure that is a column wide in a paper is as large as the paper's. */
    public static final FigureSize DEFAULT = new FigureSize(720, 480, 15);
}
