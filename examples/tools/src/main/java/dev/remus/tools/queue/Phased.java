// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

/** A handle to a queue that measures where the time of its operations goes. */
interface Phased {
    /** The times of this handle. */
    PhaseTimes times();
}
