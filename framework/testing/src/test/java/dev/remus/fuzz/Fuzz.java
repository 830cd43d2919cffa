package dev.remus.fuzz;

import java.util.SplittableRandom;

/**
 * How much chance is thrown at the framework: 10^5 things in all, or as many as {@code -Dremus.fuzz} says. The seed is
 * that of {@code -Dremus.fuzz.seed}, by default always the same.
 */
public final class Fuzz {
    private static final int MILLION = 1_000_000;
    private static final int IN_ALL = Integer.getInteger("remus.fuzz", 100_000);
    private static final long SEED = Long.getLong("remus.fuzz.seed", 20_26);

    private static final long[] WEIRD = {
        0,
        1,
        2,
        3,
        7,
        8,
        9,
        63,
        64,
        65,
        4095,
        4096,
        -1,
        -2,
        -8,
        -64,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 32,
        1L << 47,
        1L << 48,
        1L << 54,
        1L << 62,
        Long.MAX_VALUE,
        Long.MAX_VALUE - 63,
        Long.MIN_VALUE
    };

    private Fuzz() {}

    /** So many times, of a million. */
    public static int times(int ofAMillion) {
        return Math.max(1, (int) ((long) IN_ALL * ofAMillion / MILLION));
    }

    /** A source of chance; the same for the same number. */
    public static SplittableRandom random(int number) {
        return new SplittableRandom(SEED * 31 + number);
    }

    /** A number that is likely to be one too many, or to overflow something. */
    public static long weird(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> WEIRD[random.nextInt(WEIRD.length)];
            case 2 -> random.nextLong() >> random.nextInt(64);
            default -> (random.nextLong() >> random.nextInt(64)) & -64;
        };
    }
}
