// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import java.util.Locale;
import java.util.Objects;

/**
 * How the key of an operation is chosen.
 *
 * @param distribution the kind of choice
 * @param skew the exponent of the Zipfian distribution, above 0: the k-th key in the order of popularity is chosen with
 *     a probability that is proportional to {@code 1 / k^skew}
 * @param hotKeys the percentage of the keys that are hot, for {@link Distribution#HOT_SET}
 * @param hotOperations the percentage of operations that use one of them
 */
record KeyChoice(Distribution distribution, double skew, int hotKeys, int hotOperations) {
    /** The kinds of choice. */
    enum Distribution {
        /** All keys are equally likely. */
        UNIFORM,
        /** Some keys are much more popular than others. */
        ZIPFIAN,
        /** The newest keys are the most popular, by the Zipfian distribution. */
        LATEST,
        /** A part of the operations use a part of the keys. */
        HOT_SET;

        /** As on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Rejects values out of range. */
    KeyChoice {
        Objects.requireNonNull(distribution, "distribution");
        if (!(skew > 0 && skew <= 10)) {
            throw new IllegalArgumentException("skew " + skew + ": needs a number above 0, at most 10");
        }
        if (hotKeys < 1 || hotKeys > 100 || hotOperations < 0 || hotOperations > 100) {
            throw new IllegalArgumentException("hot keys " + hotKeys + " %, hot operations " + hotOperations
                    + " %: needs 1 to 100 percent, and 0 to 100 percent");
        }
    }

    /** For example {@code zipfian, skew 0.99}. */
    @Override
    public String toString() {
        return switch (distribution) {
            case UNIFORM -> distribution.toString();
            case ZIPFIAN, LATEST -> distribution + ", skew " + skew;
            case HOT_SET ->
                distribution + ", " + hotOperations + " % of the operations on " + hotKeys + " % of the keys";
        };
    }
}
