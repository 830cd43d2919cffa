// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import java.util.stream.DoubleStream;

/** Fairness of shares, by Jain's index. */
final class Fairness {
    private Fairness() {}

    /**
     * Jain's index: the square of the sum, divided by n times the sum of the squares. It is 1 if all n shares are
     * equal, and 1/n if one has everything. Source: R. Jain, D. Chiu, W. Hawe, DEC Research Report TR-301, 1984.
     *
     * @return 1 if there are no shares, or all are 0
     */
    static double jain(double... shares) {
        double sum = DoubleStream.of(shares).sum();
        double squares = DoubleStream.of(shares).map(share -> share * share).sum();
        return squares == 0 ? 1 : sum * sum / (shares.length * squares);
    }
}
