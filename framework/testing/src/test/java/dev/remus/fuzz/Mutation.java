// SPDX-License-Identifier: Apache-2.0
package dev.remus.fuzz;

import java.util.SplittableRandom;

/** Changes messages and files at random. */
public final class Mutation {
    private Mutation() {}

    /** Random bytes of any length up to a limit. */
    public static byte[] bytes(SplittableRandom random, int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A copy in which one to four things are different, or in rare cases the same as before. */
    public static byte[] of(byte[] sound, SplittableRandom random) {
        byte[] bytes = sound.clone();
        for (int n = 1 + random.nextInt(4); n > 0 && bytes.length > 0; n--) {
            bytes = once(bytes, random);
        }
        return bytes;
    }

    private static byte[] once(byte[] bytes, SplittableRandom random) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(6)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2 -> put(bytes, at & -4, (int) Fuzz.weird(random), Integer.BYTES);
            case 3 -> put(bytes, at & -8, Fuzz.weird(random), Long.BYTES);
            case 4 -> System.arraycopy(bytes, at, bytes, 0, bytes.length - at); // a piece is missing
            default -> {
                byte[] cut = new byte[at];
                System.arraycopy(bytes, 0, cut, 0, at);
                return cut;
            }
        }
        return bytes;
    }

    private static void put(byte[] bytes, int at, long value, int size) {
        for (int i = 0; i < size && at + i < bytes.length; i++) {
            bytes[at + i] = (byte) (value >>> 8 * i);
        }
    }
}
