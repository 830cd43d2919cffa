// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

/**
 * How a map is laid out, chosen when it is made. The {@linkplain #DEFAULT default} suits all programs; tests choose
 * small buckets and colliding hashes.
 *
 * @param slots the number of entries in a bucket
 * @param hashMask the bits of a key's hash that count. Keys that agree in all of them share a bucket for ever
 */
public record MapShape(int slots, long hashMask) {
    /** Buckets of 256 bytes, and all bits of the hash. */
    public static final MapShape DEFAULT = new MapShape(MapWords.MAX_SLOTS, -1);

    /** Rejects buckets that cannot be. */
    public MapShape {
        if (slots < 1 || slots > MapWords.MAX_SLOTS) {
            throw new IllegalArgumentException("buckets of " + slots + " slots: needs 1 to " + MapWords.MAX_SLOTS);
        }
    }
}
