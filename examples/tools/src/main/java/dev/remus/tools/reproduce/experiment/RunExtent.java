// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.experiment;

/** How much of an experiment a run repeats. */
public enum RunExtent {
    /** A few short points, for tests: {@code --quick}. */
    QUICK,
    /** All curves, within ten minutes on two cores. */
    DEFAULT,
    /** As published, however long it takes: {@code --full}. */
    FULL
}
