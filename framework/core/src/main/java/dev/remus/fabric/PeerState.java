// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/** The state of a Compute Node, from a Memory Node's view. */
public enum PeerState {
    /** It has not connected yet. */
    ABSENT,
    /** It is connected. A stopped process is still connected. */
    JOINED,
    /** It was connected and has left in good order. */
    FINISHED,
    /** It was connected and has ended, but not in good order. */
    LOST
}
