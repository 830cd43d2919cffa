// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Properties;

/** The formats of a release, as its nodes have written them. */
public final class Release {
    private final Properties recorded = new Properties();

    /** @param version a release of which there is a recording beside this class */
    public Release(String version) {
        try (InputStream in = Release.class.getResourceAsStream("release-" + version + ".properties")) {
            recorded.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A recorded file. */
    public String text(String name) {
        return recorded.getProperty(name);
    }

    /** Recorded bytes. */
    public byte[] bytes(String name) {
        return HexFormat.of().parseHex(text(name));
    }
}
