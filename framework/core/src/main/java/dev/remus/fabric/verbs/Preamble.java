// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Version;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The beginning of every message between the two ends of a new connection, little-endian. It stays as it is in all
 * later protocols, so that nodes of different versions can name each other's.
 *
 * <pre>
 *   0  "remus" (upper 40 bits), protocol (8 bits), kind of message (16 bits)
 *   8  layout (int)
 *  12  0 (int)
 *  16  version of the software: 24 bytes of ASCII, filled up with 0
 * </pre>
 *
 * <p>Messages of protocols before 4 have the first word only.
 */
final class Preamble {
    /** Its length. */
    static final int BYTES = 40;

    private static final long MAGIC = 0x72656D7573L << 24; // "remus"
    private static final int PROTOCOL_SHIFT = 16;
    private static final int LAYOUT = 8;
    private static final int SOFTWARE = 16;
    private static final int FIRST_WITH_SOFTWARE = 4;

    /** A node of another version has sent a message. */
    static final class OtherVersionException extends FabricException {
        private static final long serialVersionUID = 1L;

        OtherVersionException(FabricException refusal) {
            super(String.valueOf(refusal.getMessage()));
        }
    }

    private Preamble() {}

    private static long word(Version version, int kind) {
        return MAGIC | (long) version.protocol() << PROTOCOL_SHIFT | kind;
    }

    static void write(LocalBuffer memory, long at, Version version, int kind) {
        byte[] software = version.software().getBytes(StandardCharsets.US_ASCII);
        memory.putLong(at, word(version, kind));
        memory.putLong(at + LAYOUT, version.layout());
        memory.view(at + SOFTWARE, Version.MAX_LENGTH).put(new byte[Version.MAX_LENGTH]);
        memory.view(at + SOFTWARE, Version.MAX_LENGTH).put(software);
    }

    /** Whether a message is of this kind and version. */
    static boolean is(LocalBuffer memory, long at, Version own, int kind) {
        return memory.getLong(at) == word(own, kind) && memory.getLong(at + LAYOUT) == own.layout();
    }

    /**
     * Checks the kind and the version of a message.
     *
     * @param node the name of the node that has sent it, at the beginning of a sentence
     * @throws OtherVersionException if the node runs a version that does not fit
     * @throws FabricException if it is no message of that kind
     */
    static void check(LocalBuffer memory, long at, Version own, int kind, String node) {
        long word = memory.getLong(at);
        if (word >>> 24 == MAGIC >>> 24) {
            Optional<Version> theirs = version(memory, at, (int) (word >>> PROTOCOL_SHIFT) & 0xFF);
            if (theirs.isPresent() && !own.fits(theirs.get())) {
                throw new OtherVersionException(own.refusal(node, theirs.get()));
            }
            if (theirs.isPresent() && (word & 0xFFFF) == kind) {
                return;
            }
        }
        throw new FabricException(node + " has sent a message that no node of Remus for Java sends at this point");
    }

    private static Optional<Version> version(LocalBuffer memory, long at, int protocol) {
        if (protocol < FIRST_WITH_SOFTWARE) {
            return Version.of("", protocol, 0);
        }
        long layout = memory.getLong(at + LAYOUT);
        byte[] bytes = new byte[Version.MAX_LENGTH];
        memory.view(at + SOFTWARE, bytes.length).get(bytes);
        String software = new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("\0+$", "");
        return layout == (int) layout ? Version.of(software, protocol, (int) layout) : Optional.empty();
    }
}
