// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

/** Another implementation that repeats the workload, for comparison. */
public enum Baseline {
    /** No comparison. */
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
