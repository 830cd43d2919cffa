// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

/**
 * One point of a figure.
 *
 * @param load the load
 * @param series the curve
 * @param producers the number of threads that enqueue
 * @param batch the number of items that producers and consumer move at once
 */
record BufferedPoint(BufferedLoad load, BufferedSeries series, int producers, int batch) {}
