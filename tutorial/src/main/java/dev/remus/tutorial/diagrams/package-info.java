// SPDX-License-Identifier: Apache-2.0
/**
 * Draws the diagrams of the tutorial: from a text, {@code tutorial/diagrams/NAME.txt}, to a picture beside it, {@code
 * NAME.svg}. {@link dev.remus.tutorial.diagrams.Diagram} specifies the texts.
 */
@NullMarked
package dev.remus.tutorial.diagrams;

import org.jspecify.annotations.NullMarked;
