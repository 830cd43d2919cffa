package dev.remus.structures;

/** A handle that can say where the time of its operations goes. */
public interface Phased {
    /** The times of this handle. */
    PhaseTimes times();
}
