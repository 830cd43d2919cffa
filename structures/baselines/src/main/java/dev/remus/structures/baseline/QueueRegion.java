// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.record.RemoteArray;
import dev.remus.record.RemoteRecord;

/** A view of one thread's region of a lock-based queue. A subclass declares a header, and then the cells. */
abstract class QueueRegion extends RemoteRecord {
    /** The cells for the thread's elements. */
    abstract RemoteArray cells();
}
