// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

/** A fault that is injected into a cluster. */
enum NodeFault {
    /** SIGKILL is sent to one node. */
    KILL("killed"),

    /** SIGKILL is sent to all nodes. */
    KILL_ALL("all killed"),

    /** SIGSTOP and later SIGCONT are sent to one node; the run must continue. */
    STOP("stopped for a while"),

    /** No fault; the run must succeed. */
    NONE("without a fault");

    private final String text;

    NodeFault(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
