package dev.remus.fabric;

import dev.remus.config.ClusterSettings;
import java.util.Locale;

/** How a node was lost. */
public enum LossKind {
    /** Its process has ended, but not in good order. */
    ENDED(" is lost: its process has ended"),

    /** It is unreachable, although neither side closed the connection: its machine or the network has failed. */
    UNREACHABLE(" has stopped answering: its machine or the network has failed"),

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

    /** The name in text, for example {@code never-joined}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
