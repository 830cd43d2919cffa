// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The version that a node runs. Nodes work together if protocol and layout are the same, whatever their software is.
 *
 * <p>Node files, segment headers and the messages by which nodes connect carry it, at places that stay the same in
 * later versions, so that nodes that differ can name each other's.
 *
 * @param software the version of Remus for Java; empty if it is not known
 * @param protocol the version of what nodes send and store to find, admit and watch each other; 0 if it is not known
 * @param layout the version of what is where in the memory of a segment; 0 if it is not known
 */
public record Version(String software, int protocol, int layout) {
    /** The most characters of the version of some software. */
    public static final int MAX_LENGTH = 24;

    /** Protocol and layout are below this, so that a segment's header has room for both. */
    private static final int BOUND = 1 << 16;

    private static final Pattern SOFTWARE = Pattern.compile("[0-9A-Za-z.+-]{0," + MAX_LENGTH + "}");

    /** The protocol of this software. */
    public static final int PROTOCOL = 4;

    /** The layout of this software. */
    public static final int LAYOUT = 5;

    /** The version of this software. */
    public static final Version PRESENT = new Version("0.2.0", PROTOCOL, LAYOUT);

    /** Refuses what no node has. */
    public Version {
        if (!SOFTWARE.matcher(software).matches()
                || protocol < 0
                || protocol >= BOUND
                || layout < 0
                || layout >= BOUND) {
            throw new IllegalArgumentException("no version: protocol " + protocol + ", layout " + layout);
        }
    }

    /** A version that another node has stored or sent; empty if it is no version. */
    public static Optional<Version> of(String software, int protocol, int layout) {
        try {
            return Optional.of(new Version(software, protocol, layout));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether a node of this version works together with one of another. */
    public boolean fits(Version other) {
        return protocol == other.protocol && layout == other.layout;
    }

    /**
     * Explains why a node refuses another.
     *
     * @param node the name of the other node, at the beginning of a sentence
     * @param other its version
     */
    public FabricException refusal(String node, Version other) {
        return new FabricException(node + " runs " + other + ", this node runs " + this
                + ". All nodes of a cluster need the same protocol and layout: start them from one build");
    }

    /** Names the software, and the numbers that are known. */
    @Override
    public String toString() {
        String name = software.isEmpty() ? "another version of Remus for Java" : "Remus for Java " + software;
        String numbers = (protocol == 0 ? "" : "protocol " + protocol)
                + (protocol == 0 || layout == 0 ? "" : ", ")
                + (layout == 0 ? "" : "layout " + layout);
        return numbers.isEmpty() ? name : name + " (" + numbers + ")";
    }
}
