package dev.remus.tools.harness;

import java.math.BigInteger;
import java.util.SplittableRandom;

/**
 * The keys {@code lb..ub}, both included: any longs, so there may be more of them than a long can count.
 *
 * @param lb the lowest key
 * @param ub the highest key, at least {@code lb}
 */
public record KeyRange(long lb, long ub) {
    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    /** Refuses an empty range. */
    public KeyRange {
        if (lb > ub) {
            throw new IllegalArgumentException("the range of keys " + lb + " to " + ub + " is empty");
        }
    }

    /** How many keys there are: 1 to 2^64. */
    public BigInteger size() {
        return BigInteger.valueOf(ub).subtract(BigInteger.valueOf(lb)).add(BigInteger.ONE);
    }

    /** How many keys a percentage of all is, rounded down. */
    public BigInteger share(int percent) {
        return size().multiply(BigInteger.valueOf(percent)).divide(HUNDRED);
    }

    /**
     * Key i of n that are spread evenly over the range: {@code lb + floor(i * size / n)}. All n are different as long as n
     * is not above {@link #size}.
     *
     * @param i 0 to {@code n} - 1
     */
    public long spread(long i, long n) {
        BigInteger distance = size().multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(n));
        return BigInteger.valueOf(lb).add(distance).longValueExact();
    }

    /** A key of the range, each with the same probability. */
    public long draw(SplittableRandom random) {
        if (ub < Long.MAX_VALUE) {
            return random.nextLong(lb, ub + 1); // the upper bound is not included
        }
        return lb == Long.MIN_VALUE ? random.nextLong() : random.nextLong(lb - 1, ub) + 1;
    }

    @Override
    public String toString() {
        return lb + " to " + ub;
    }
}
