package @PACKAGE@;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.ValidatedReads;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.TaggedRef;
import java.util.OptionalLong;

/**
 * A stack in remote memory.
 *
 * <p><b>Promises.</b> Linearizable and lock-free. <b>Linearization points.</b> Of push and of a pop that finds a value:
 * the compare-and-swap that succeeds. Of a pop that finds none: its READ of the top. <b>Death.</b> A dead thread blocks
 * no other; whether its last operation took effect is unknown, and its node may be lost. <b>Round trips.</b> Push: 4.
 * Pop: 3, or 1 if it is empty. Each has 2 more for each lost race. A block that is new, not reused, costs more.
 *
 * <p><b>Memory.</b> A popped node is freed at once, and may come back as the top while another thread still compares
 * with it (ABA). The tag in the top counts its changes, so that the other thread's compare-and-swap fails.
 *
 * <p>Source: R. K. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986.
 */
public final class @CLASS@ {
    /** A node in remote memory; an object of this class is a view of it. */
    static final class Node extends RemoteRecord {
        final RemoteLong value = longField();
        final RemoteLong next = longField();
    }

    /** What all threads share. */
    public static final class Shared extends RemoteRecord {
        final TaggedRef<Node> top = taggedRefField();
    }

    private final Shared This = new Shared(); // data is distributed ...
    private final Node node = new Node(); //     ... code is replicated: each thread has its own handle
    private final ValidatedReads reads = new ValidatedReads();

    /** Creates an empty stack in remote memory: "New". One thread calls it once, and shares the pointer. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.top.stage(RdmaPtr.NULL, ct);
        shared.storeStaged(ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /** Creates this thread's handle: "new". */
    public @CLASS@(RdmaPtr<Shared> This) {
        this.This.at(This);
    }

    /** Pushes a value. */
    public void push(long value, ComputeThread ct) {
        node.allocate(ct);
        node.value.store(value, ct); // placed when it returns: a thread that sees the node sees its value
        long top = This.top.load(ct);
        while (true) {
            node.next.store(This.top.target(top, ct), ct);
            long found = This.top.compareAndExchange(top, node.pointer(), ct);
            if (found == top) {
                return;
            }
            top = found;
            ct.pause(); // in every retry loop
        }
    }

    /** Pops the value that was pushed last; empty if there is none. */
    public OptionalLong pop(ComputeThread ct) {
        long top = This.top.load(ct);
        while (true) {
            long target = This.top.target(top, ct);
            if (target == RdmaPtr.NULL) {
                return OptionalLong.empty();
            }
            node.at(target);
            reads.begin(ct);
            try (reads) {
                node.fetch(ct); // both fields; anything, if another thread has popped the node meanwhile
            }
            long found = This.top.compareAndExchange(top, node.next.fetched(), ct);
            if (found == top) {
                long value = node.value.fetched();
                node.free(ct);
                return OptionalLong.of(value);
            }
            top = found;
            ct.pause();
        }
    }
}
