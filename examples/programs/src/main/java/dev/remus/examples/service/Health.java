// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

/**
 * Whether a node serves, and if not, why.
 *
 * @param state where the node is between its start and its end
 * @param reason a text for a person
 */
record Health(State state, String reason) {
    /** The states of a node, in their order. */
    enum State {
        STARTING,
        SERVING,
        STOPPING,
        FAILED
    }

    boolean isServing() {
        return state == State.SERVING;
    }

    /** Whether requests for keys are accepted: those that come while callers notice the stop are still served. */
    boolean acceptsRequests() {
        return state == State.SERVING || state == State.STOPPING;
    }
}
