package dev.remus.fabric;

/** The state in which a Memory Node sees a Compute Node. */
public enum PeerState {
    /** Has not connected yet. */
    ABSENT,
    /** Is connected. A stopped process is still connected. */
    JOINED,
    /** Was connected and has left in good order. */
    FINISHED,
    /** Was connected and has ended without saying goodbye. */
    LOST
}
