package @PACKAGE@;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/**
 * A counter in remote memory that many threads add to: a minimal complete structure, to be replaced by your own.
 *
 * <p><b>Promises.</b> Linearizable; {@link #add} is lock-free, {@link #get} is wait-free. <b>Linearization points.</b>
 * Of add: its compare-and-swap that succeeds. Of get: its READ. <b>Death.</b> A dead thread blocks no other; whether
 * its last add took effect is unknown. <b>Round trips.</b> add: 2, and one more for each lost race with another thread;
 * get: 1.
 */
public final class @CLASS@ {
    /** The layout in remote memory. */
    static final class Shared extends RemoteRecord {
        final RemoteLong value = longField();
    }

    private final Shared This = new Shared(); // data is distributed, code is replicated: each thread has its own handle

    /** Creates a counter in remote memory: "New". One thread calls it once and shares the pointer. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.value.store(0, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /** Creates this thread's handle: "new". */
    public @CLASS@(RdmaPtr<Shared> This) {
        this.This.at(This);
    }

    /** Adds to the counter, and returns its previous value. */
    public long add(long delta, ComputeThread ct) {
        long seen = This.value.load(ct);
        while (true) {
            long found = This.value.compareAndExchange(seen, seen + delta, ct);
            if (found == seen) {
                return seen;
            }
            seen = found;
            ct.pause(); // in every retry loop
        }
    }

    /** The current value. */
    public long get(ComputeThread ct) {
        return This.value.load(ct);
    }
}
