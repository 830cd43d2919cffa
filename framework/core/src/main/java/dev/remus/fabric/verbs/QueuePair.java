// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaCmId;
import dev.remus.fabric.LocalBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A queue pair with its completion queue, and the memory for messages and probes. Not thread-safe: only the owner of
 * the connection calls it.
 */
final class QueuePair implements SendQueue.Doorbell {
    private static final int OWN_REQUESTS = DeviceLimits.OWN_SENDS + DeviceLimits.OWN_RECEIVES;

    // Ids of its own requests: negative, while those of a lane are numbers from 0.
    private static final long RECEIVE = -1;
    private static final long SEND = -2;
    private static final long PROBE = -3;

    private static final int SEND_SLOT = 0;
    private static final int PROBE_SLOT = 1;

    // Halves of the page.
    private static final int OUT = 0;
    private static final int IN = Handshake.MAX_BYTES;

    private static final byte[] NOTHING = new byte[Handshake.MAX_BYTES];

    private final RdmaCmId id;
    private final ProtectionDomain domain;
    private final IbvCQ completionQueue;

    /** The address of the completion queue in C, for calls on the hot path. */
    private final long queueHandle;

    private final long handle;
    private final LocalBuffer page;
    private final WorkRequests requests = new WorkRequests(2);
    private final ByteBuffer receive = ByteBuffer.allocateDirect(48).order(ByteOrder.nativeOrder());
    private final WorkCompletions completions = new WorkCompletions(OWN_REQUESTS);

    private boolean received;
    private boolean sent;
    private boolean probing;
    private int failure;

    /**
     * Creates a queue pair and posts a RECV.
     *
     * @param id connects it; the caller still owns it
     * @param depth how many requests its owner may have outstanding
     */
    QueuePair(RdmaCmId id, ProtectionDomain domain, int depth) throws IOException {
        this.id = id;
        this.domain = domain;
        this.page = domain.borrowPage();
        this.completionQueue = domain.createCompletionQueue(depth + OWN_REQUESTS);
        this.queueHandle = Verbs.handle(completionQueue);
        IbvQP created = null;
        try {
            created = domain.createQueuePair(
                    id, completionQueue, depth + DeviceLimits.OWN_SENDS, DeviceLimits.OWN_RECEIVES);
            this.handle = Verbs.handle(created);
            postReceive();
        } catch (IOException e) {
            if (created != null) {
                Verbs.destroyQueuePair(id);
            }
            Verbs.destroy(completionQueue);
            throw e;
        }
    }

    @Override
    public void ring(long list) throws IOException {
        Verbs.postSend(handle, list);
    }

    /** The address of the queue pair in C. */
    long handle() {
        return handle;
    }

    /** Lets the other end READ, WRITE and use atomics. The end that accepts a connection begins without. */
    void grantAccess() throws IOException {
        RemoteAccess.grant(handle);
    }

    /** The number of this queue pair. */
    int number() throws IOException {
        return RemoteAccess.number(handle);
    }

    /** The number of the queue pair at the other end, as the device knows it. */
    int peerNumber() throws IOException {
        return RemoteAccess.peer(handle);
    }

    /** How many bytes of a WRITE can be part of its request. */
    int inlineBytes() {
        return domain.inlineBytes();
    }

    /** The address of the completion queue in C. */
    long completionQueue() {
        return queueHandle;
    }

    /**
     * <pre>
     *  struct ibv_recv_wr, 32 bytes, and its struct ibv_sge behind it
     *    0  wr_id     8  next    16  sg_list    24  num_sge (int)    32  addr    40  length (int)    44  lkey (int)
     * </pre>
     */
    private void postReceive() throws IOException {
        page.view(IN, NOTHING.length).put(NOTHING); // a shorter message must not be completed by an earlier one
        long at = LocalBuffer.address(receive);
        receive.putLong(0, RECEIVE).putLong(8, 0).putLong(16, at + 32).putInt(24, 1);
        receive.putLong(32, page.address() + IN).putInt(40, Handshake.MAX_BYTES).putInt(44, page.localKey());
        Verbs.postReceive(handle, at);
    }

    /** The page for messages; the next is to be written at {@link #outgoing} before {@link #send}. */
    LocalBuffer page() {
        return page;
    }

    int outgoing() {
        return OUT;
    }

    /** The offset of the received message in the page. */
    int incoming() {
        return IN;
    }

    void send(int length) throws IOException {
        sent = false;
        requests.set(SEND_SLOT, SEND, WorkRequests.SEND, WorkRequests.SIGNALED);
        requests.setLocal(SEND_SLOT, page.address() + OUT, length, page.localKey());
        Verbs.postSend(handle, requests.address(SEND_SLOT));
    }

    /** Discards the received message and posts a RECV for the next. */
    void receiveAnother() throws IOException {
        received = false;
        postReceive();
    }

    /** Posts an empty WRITE, which must be acknowledged all the same. */
    void probe() throws IOException {
        probing = true;
        requests.set(PROBE_SLOT, PROBE, WorkRequests.WRITE, WorkRequests.SIGNALED);
        requests.setEmpty(PROBE_SLOT);
        requests.setRemote(PROBE_SLOT, 0, 0);
        Verbs.postSend(handle, requests.address(PROBE_SLOT));
    }

    /** Collects the completions of messages and probes. Not to be called once the owner polls the queue itself. */
    void poll() throws IOException {
        int n = completions.poll(queueHandle);
        for (int i = 0; i < n; i++) {
            if (completions.status(i) != WorkCompletions.SUCCESS) {
                // Only the first has a reason; the later ones are flushed.
                failure = failure == WorkCompletions.SUCCESS ? completions.status(i) : failure;
            } else {
                received |= completions.id(i) == RECEIVE;
                sent |= completions.id(i) == SEND;
                probing &= completions.id(i) != PROBE;
            }
        }
    }

    /** Whether a message has arrived. */
    boolean hasReceived() {
        return received;
    }

    /** Whether the last message sent has arrived. */
    boolean hasSent() {
        return sent;
    }

    /** Whether the last probe has not been acknowledged yet. */
    boolean isProbing() {
        return probing;
    }

    /** Whether a message or a probe could not be delivered. */
    boolean hasFailed() {
        return failure != WorkCompletions.SUCCESS;
    }

    /** Describes the failure, for a message to the user. */
    String failure() {
        return "completion status " + failure;
    }

    /** Frees its resources; the id must be destroyed afterwards. */
    void close() {
        Verbs.destroyQueuePair(id);
        Verbs.destroy(completionQueue);
        domain.returnPage(page);
    }
}
