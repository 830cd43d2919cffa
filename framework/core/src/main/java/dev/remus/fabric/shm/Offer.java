// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.FabricException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The offer of a Memory Node in its node file.
 *
 * @param run a number that distinguishes this run of the node from earlier and later ones
 * @param segmentBytes size of each segment
 * @param rkeys the key of each segment
 */
record Offer(long run, long segmentBytes, List<Integer> rkeys) {
    Properties toProperties() {
        Properties p = new Properties();
        p.setProperty("run", Long.toHexString(run));
        p.setProperty("segment-bytes", Long.toString(segmentBytes));
        p.setProperty("rkeys", rkeys.stream().map(Integer::toHexString).collect(Collectors.joining(" ")));
        return p;
    }

    /** Whether a node file belongs to the run that made this offer. */
    boolean isFrom(Properties p) {
        return Long.toHexString(run).equals(p.getProperty("run"));
    }

    /** @throws FabricException if the file is damaged */
    static Offer of(Properties p, int memoryNode) {
        try {
            String[] keys = p.getProperty("rkeys", "").split(" ");
            return new Offer(
                    Long.parseUnsignedLong(p.getProperty("run"), 16),
                    Long.parseLong(p.getProperty("segment-bytes")),
                    IntStream.range(0, keys.length)
                            .mapToObj(i -> Integer.parseUnsignedInt(keys[i], 16))
                            .toList());
        } catch (NumberFormatException e) {
            throw new FabricException("the node file of Memory Node " + memoryNode + " is damaged: " + p, e);
        }
    }
}
