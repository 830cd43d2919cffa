package dev.remus.tools.harness;

/** Another implementation that repeats the workload, for comparison. */
public enum Baseline {
    /** No comparison. */
    NONE("none"),
    /** A structure of the same kind on the Java heap; for sets, {@link HeapBaseline}. */
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
