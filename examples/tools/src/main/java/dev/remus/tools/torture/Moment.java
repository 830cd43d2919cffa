// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import java.util.Locale;

/**
 * A fault that a cluster must live through, and when.
 *
 * @param millis after the threads have begun to operate
 * @param stopMillis the time for which a stopped node stays stopped
 */
record Moment(Kind kind, int victim, long millis, long stopMillis) {
    /** The fault of a Compute Node. */
    enum Kind {
        /** SIGKILL; the node does not come back. */
        KILLED,

        /** SIGKILL, and a start with the same options. */
        RESTARTED,

        /** SIGSTOP and later SIGCONT. */
        STOPPED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public String toString() {
        String length = kind == Kind.STOPPED ? String.format(Locale.ROOT, " for %.1f s", stopMillis / 1e3) : "";
        return String.format(Locale.ROOT, "Compute Node %d %s at %.1f s%s", victim, kind, millis / 1e3, length);
    }
}
