// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import java.io.PrintStream;

/** Chooses a progress view that suits the output stream. */
public final class ProgressViews {
    private ProgressViews() {}

    /** A bar if the stream is a terminal, else a plain line from time to time. */
    public static ProgressView forUser(PrintStream err) {
        return Terminal.isErrorStream(err) ? new BarView(err) : new LineView(err);
    }
}
