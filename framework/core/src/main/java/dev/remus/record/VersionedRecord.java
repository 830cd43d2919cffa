// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * A record whose words can be read as of one moment, although READs and WRITEs of several words may be torn. It begins
 * with a version, which is odd while a thread writes. A subclass declares the fields that follow.
 *
 * <pre>
 *   0           8                            bytes
 *  +-----------+----------------------------+
 *  | version   | the fields of the subclass |
 *  +-----------+----------------------------+
 *   writer:  WRITE version + 1;  WRITE fields;  WRITE version + 2     one chain, in this order
 *   reader:  READ  version;      READ  record;  READ  version         one chain, in this order
 * </pre>
 *
 * <p>Correctness: the WRITEs of a lane become visible in the order posted, and its READs execute in the order posted.
 * If both READs of the version returned the same even number, no writer was between its first and its last WRITE while
 * the fields were read. This takes two separate READs of the version. One version, or two, inside the READ of the
 * record would prove nothing, since its words are read in any order (Ziegler et al., SIGMOD 2023, doi 10.1145/3589276).
 *
 * <p>The structure must admit one writer at a time, for example by a lock. A writer that dies in between leaves the
 * version odd: reads then return false for ever, and the structure must repair the record. The fields are only read and
 * written, never changed by atomics: they cannot be declared {@link #atomic}.
 */
public abstract class VersionedRecord extends RemoteRecord {
    private static final int BEFORE = 0;
    private static final int BEHIND = 8;

    private final RemoteLong version = longField();

    /** Two words of local memory, for versions; allocated when first needed. */
    private @Nullable LocalBuffer versions;

    /** A view without a place. */
    protected VersionedRecord() {}

    @Override
    final boolean storesAllFields() {
        return true;
    }

    /**
     * WRITEs a new record, which other threads cannot reach yet, from the staged values. It is placed when this
     * returns. One round trip.
     */
    public final void storeNew(ComputeThread ct) {
        version.stage(0, ct); // the copy may have that of another record
        storeStaged(ct);
    }

    /**
     * READs the record unless a thread is writing it; the fetched values are then of one moment. One round trip. If the
     * READ fails, nothing is fetched; call {@link ComputeThread#pause} before a retry.
     *
     * @return whether the record was read
     */
    public final boolean fetchConsistent(ComputeThread ct) {
        LocalBuffer around = versions(ct);
        Sequence sequence = ct.sequence().read(version.pointer(), around, BEFORE, Long.BYTES);
        fetchIn(sequence, ct);
        sequence.read(version.pointer(), around, BEHIND, Long.BYTES).execute();
        long before = around.getLong(BEFORE);
        if (before != around.getLong(BEHIND) || (before & 1) != 0) {
            forgetCopy();
            return false;
        }
        return true;
    }

    /**
     * WRITEs the values staged since this view fetched or stored the record, and returns when they are placed. One
     * round trip. For one thread at a time, which has the latest version.
     *
     * @throws IllegalStateException if this view has not fetched or stored the record
     */
    public final void storeConsistent(ComputeThread ct) {
        if (!hasOwnCopy()) {
            throw new IllegalStateException(this + " has not been fetched: its version is not known");
        }
        LocalBuffer around = versions(ct);
        long next = version.fetched() + 2;
        around.putLong(BEFORE, next - 1);
        around.putLong(BEHIND, next);
        version.stage(next, ct);
        ct.sequence()
                .write(version.pointer(), around, BEFORE, Long.BYTES)
                .write(version.pointer() + Long.BYTES, copy(), Long.BYTES, (int) bytes() - Long.BYTES)
                .write(version.pointer(), around, BEHIND, Long.BYTES)
                .execute();
    }

    private LocalBuffer versions(ComputeThread ct) {
        if (versions == null) {
            versions = ct.allocateLocal(2L * Long.BYTES);
        }
        return versions;
    }
}
