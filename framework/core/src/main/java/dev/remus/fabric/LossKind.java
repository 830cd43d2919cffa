// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterSettings;
import java.time.Duration;
import java.util.Locale;

/** How a node was lost. */
public enum LossKind {
    /** Its process has ended, but not in good order. */
    ENDED(" is lost: its process has ended"),

    /** It stayed unreachable for the loss time-out, and is not known to have ended. */
    UNREACHABLE(" is lost: it stayed unreachable, so its machine or the network has failed"),

    /** It did not join within the connect timeout. */
    NEVER_JOINED(" never joined: it was not there within " + ClusterSettings.CONNECT_TIMEOUT.names()),

    /** It reported its own failure, and stored the reason where the other nodes can read it. */
    FAILED(" failed");

    private final String message;

    LossKind(String message) {
        this.message = message;
    }

    /**
     * The message about a node that was lost in this way.
     *
     * @param node for example {@code Compute Node 2}
     */
    public String describe(String node) {
        return node + message;
    }

    /**
     * The same message for a node of a cluster with this loss time-out.
     *
     * @param lossTimeout {@link dev.remus.config.ClusterConfig#lossTimeout}
     */
    public String describe(String node, Duration lossTimeout) {
        return this == UNREACHABLE
                ? node + " is lost: it was unreachable for "
                        + ClusterSettings.LOSS_TIMEOUT.type().format(lossTimeout)
                        + " s, so its machine or the network has failed: " + ClusterSettings.LOSS_TIMEOUT.names()
                : describe(node);
    }

    /** The name in text, for example {@code never-joined}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
