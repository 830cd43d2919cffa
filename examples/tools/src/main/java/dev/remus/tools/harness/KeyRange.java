// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import java.math.BigInteger;
import java.util.SplittableRandom;

/**
 * A range of keys {@code lb..ub}, both inclusive. All longs can be keys, so their number may exceed a long.
 *
 * @param lb the lowest key
 * @param ub the highest key, at least {@code lb}
 */
public record KeyRange(long lb, long ub) {
    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    /** Rejects an empty range. */
    public KeyRange {
        if (lb > ub) {
            throw new IllegalArgumentException("the range of keys " + lb + " to " + ub + " is empty");
        }
    }

    /** The number of keys, 1 to 2^64. */
    public BigInteger size() {
        return BigInteger.valueOf(ub).subtract(BigInteger.valueOf(lb)).add(BigInteger.ONE);
    }

    /** A percentage of the number of keys, rounded down. */
    public BigInteger share(int percent) {
        return size().multiply(BigInteger.valueOf(percent)).divide(HUNDRED);
    }

    /**
     * Key i of n keys spread evenly over the range: {@code lb + floor(i * size / n)}. They are distinct if n is at most
     * {@link #size}.
     *
     * @param i 0 to {@code n} - 1
     */
    public long spread(long i, long n) {
        BigInteger distance = size().multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(n));
        return BigInteger.valueOf(lb).add(distance).longValueExact();
    }

    /** Draws a key, each with the same probability. */
    public long draw(SplittableRandom random) {
        if (ub < Long.MAX_VALUE) {
            return random.nextLong(lb, ub + 1); // the upper bound is exclusive
        }
        return lb == Long.MIN_VALUE ? random.nextLong() : random.nextLong(lb - 1, ub) + 1;
    }

    @Override
    public String toString() {
        return lb + " to " + ub;
    }
}
