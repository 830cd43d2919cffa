package dev.remus.tools.harness;

/** What else does the same workload, for comparison. */
public enum Baseline {
    /** Nothing. */
    NONE("none"),
    /** A lazy list on the Java heap, {@link HeapBaseline}. */
    HEAP("heap");

    private final String text;

    Baseline(String text) {
        this.text = text;
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return text;
    }
}
