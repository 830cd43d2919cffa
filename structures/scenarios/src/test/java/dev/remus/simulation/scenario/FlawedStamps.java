// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.node.ComputeThread;
import dev.remus.record.RecordCache;

/** Mistakes with the stamps of cached records, which the simulator must find. */
enum FlawedStamps implements StampCare {
    /** None. */
    NONE,
    /** A record is used without a look at its stamp. */
    CACHE_NOT_CHECKED {
        @Override
        public boolean isSame(RecordCache cache, Named fetched, ComputeThread ct) {
            return true;
        }
    },
    /** The stamp stays when a record is retired. */
    STAMP_NOT_ERASED {
        @Override
        public void retire(Named view, ComputeThread ct) {
            view.schedReclaim(ct);
        }
    },
    /** All records have the same stamp. */
    STAMP_NOT_NEW {
        @Override
        public void stage(Named view, ComputeThread ct) {
            view.copy().putLong(view.stampOffset(), 1);
        }
    }
}
