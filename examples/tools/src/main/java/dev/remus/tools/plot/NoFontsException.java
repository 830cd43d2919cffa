// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.io.IOException;

/** Reports that this Java cannot draw text, because a library for fonts is missing. */
public final class NoFontsException extends IOException {
    private static final long serialVersionUID = 1;

    NoFontsException(Throwable cause) {
        super(
                "figures need libraries for fonts, which Java does not find here; on Debian and Ubuntu:"
                        + " apt-get install fontconfig libfreetype6 fonts-dejavu-core",
                cause);
    }
}
