package @PACKAGE@;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/**
 * A number in remote memory that many threads add to: the smallest structure that has everything. Make yours of it.
 *
 * <p><b>Promises.</b> Linearizable; {@link #add} is lock-free, {@link #get} is wait-free. <b>Linearization points.</b> Of add: its
 * compare-and-swap that succeeds. Of get: its READ. <b>Death.</b> A thread that dies leaves nothing that others wait for; whether
 * its last add took effect is unknown. <b>Round trips.</b> add: 2, and one more each time that another thread was faster; get: 1.
 */
public final class @CLASS@ {
    /** What is in remote memory. */
    static final class Shared extends RemoteRecord {
        final RemoteLong value = longField();
    }

    private final Shared This = new Shared(); // data is distributed, code is replicated: a handle for each thread

    /** Makes one in remote memory: "New". Once, by one thread, which tells the others where it is. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.value.store(0, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /** Makes this thread's handle of it: "new". */
    public @CLASS@(RdmaPtr<Shared> This) {
        this.This.at(This);
    }

    /** Adds to the number, and returns what it was before. */
    public long add(long delta, ComputeThread ct) {
        long seen = This.value.load(ct);
        while (true) {
            long found = This.value.compareAndExchange(seen, seen + delta, ct);
            if (found == seen) {
                return seen;
            }
            seen = found;
            ct.pause(); // in every loop that tries again
        }
    }

    /** What the number is. */
    public long get(ComputeThread ct) {
        return This.value.load(ct);
    }
}
