// SPDX-License-Identifier: Apache-2.0
package dev.remus.fuzz;

import java.util.SplittableRandom;

/**
 * The amount and the source of random input for fuzz tests. There are 10^5 inputs in all, unless {@code -Dremus.fuzz}
 * sets another number. {@code -Dremus.fuzz.seed} sets the seed, which is fixed by default.
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

    /** The number of repetitions of a test that takes this share of a million inputs. */
    public static int times(int ofAMillion) {
        return Math.max(1, (int) ((long) IN_ALL * ofAMillion / MILLION));
    }

    /** A random generator; equal numbers give equal generators. */
    public static SplittableRandom random(int number) {
        return new SplittableRandom(SEED * 31 + number);
    }

    /** A number that is likely to be off by one, or to overflow. */
    public static long weird(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> WEIRD[random.nextInt(WEIRD.length)];
            case 2 -> random.nextLong() >> random.nextInt(64);
            default -> (random.nextLong() >> random.nextInt(64)) & -64;
        };
    }
}
