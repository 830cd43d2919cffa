// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.RecordCache;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/** How a structure treats the stamps of records whose copies outlive the reuse of memory: as it should, or flawed. */
public interface StampCare {
    /** A record with a name that no other record has had. */
    final class Named extends RemoteRecord {
        final RemoteLong name = immutable(longField());
        final RemoteLong nameAgain;

        Named() {
            stampField();
            nameAgain = immutable(longField());
        }
    }

    /** Sets the stamp of a new record in its copy. */
    default void stage(Named view, ComputeThread ct) {
        view.stageStamp(ct);
    }

    /** Retires a record that no thread can find any more, and which the view has fetched. */
    default void retire(Named view, ComputeThread ct) {
        view.stageErasedStamp(ct);
        Sequence sequence = ct.sequence();
        view.storeStagedStampIn(sequence);
        sequence.execute();
        view.schedReclaim(ct);
    }

    /** Whether a record that was just fetched is the one of the copy. */
    default boolean isSame(RecordCache cache, Named fetched, ComputeThread ct) {
        return cache.isSame(fetched, ct);
    }
}
