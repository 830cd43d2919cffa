// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaCmId;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LocalSlabs;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The memory that this process has registered with one device, and the limits of that device. Each device has one
 * domain for the life of the process: local memory outlives the endpoint that allocated it, and a domain cannot end
 * before the memory registered in it.
 */
final class ProtectionDomain {
    private static final int PAGE = 2 * Handshake.MAX_BYTES;

    private static final Map<Long, ProtectionDomain> BY_DEVICE = new HashMap<>();
    private static final Cleaner CLEANER = Cleaner.create();

    private final IbvContext context;
    private final IbvPd domain;

    /** DiSNI requires it to create completion queues; no thread waits on it. */
    private final IbvCompChannel completionChannel;

    private final DeviceLimits limits;
    private final InlineData inline = new InlineData();
    private final Queue<LocalBuffer> pages = new ConcurrentLinkedQueue<>();
    private final LocalSlabs local = new LocalSlabs(this::allocateWhole);

    private ProtectionDomain(IbvContext context) throws IOException {
        this.context = context;
        this.limits = DeviceLimits.of(context);
        this.domain = Verbs.allocateDomain(context);
        try {
            this.completionChannel = Verbs.createCompletionChannel(context);
        } catch (IOException e) {
            Verbs.destroy(domain);
            throw e;
        }
    }

    /** The domain of the device that an id is bound to. */
    static ProtectionDomain ofId(RdmaCmId id) throws IOException {
        IbvContext context = Verbs.context(id);
        long device = Verbs.handle(context);
        synchronized (BY_DEVICE) {
            ProtectionDomain domain = BY_DEVICE.get(device);
            if (domain == null) {
                domain = new ProtectionDomain(context);
                BY_DEVICE.put(device, domain);
                DeviceEvents.report(device, domain.limits().device());
            }
            return domain;
        }
    }

    /** Whether it belongs to this device. */
    boolean isOf(IbvContext device) {
        return Verbs.handle(context) == Verbs.handle(device);
    }

    /** Creates a completion queue of this device. */
    IbvCQ createCompletionQueue(int entries) throws IOException {
        return Verbs.createCompletionQueue(completionChannel, entries);
    }

    /** Creates a queue pair in this domain; see {@link Verbs#createQueuePair}. */
    IbvQP createQueuePair(RdmaCmId id, IbvCQ queue, int sends, int receives) throws IOException {
        return inline.create(bytes -> Verbs.createQueuePair(id, domain, queue, sends, receives, bytes));
    }

    /** How many bytes of a WRITE can be part of its request; known once there is a queue pair. */
    int inlineBytes() {
        return inline.bytes();
    }

    DeviceLimits limits() {
        return limits;
    }

    /** Registers a piece of memory, until {@link Verbs#deregister}. */
    IbvMr register(long address, long bytes, int access) throws IOException {
        return Verbs.register(domain, address, bytes, access);
    }

    /** Allocates memory for results and data, registered until it is unreachable. */
    LocalBuffer allocateLocal(long bytes) {
        return local.allocate(bytes);
    }

    private LocalBuffer allocateWhole(long bytes) {
        LocalBuffer plain = LocalBuffer.unregistered(bytes);
        try {
            IbvMr region = register(plain.address(), bytes, Verbs.ACCESS_LOCAL);
            LocalBuffer memory = plain.registeredAs(region.getLkey());
            CLEANER.register(memory, () -> deregister(region));
            return memory;
        } catch (IOException e) {
            throw new FabricException(
                    "cannot register " + bytes + " bytes of local memory with " + limits.device() + ": "
                            + e.getMessage() + ". " + MemoryLock.advice(),
                    e);
        }
    }

    /** Returns memory for the messages of a new connection. */
    LocalBuffer borrowPage() {
        LocalBuffer page = pages.poll();
        return page != null ? page : allocateLocal(PAGE);
    }

    /**
     * Takes a page back once no device uses it. Pages are reused because registration takes longer than most steps of
     * connecting.
     */
    void returnPage(LocalBuffer page) {
        pages.add(page);
    }

    /** Deregisters memory. The device pins the pages until then, so the memory may have been freed before. */
    private static void deregister(IbvMr region) {
        try {
            Verbs.deregister(region);
        } catch (IOException e) {
            throw new FabricException("cannot deregister local memory: " + e.getMessage(), e);
        }
    }
}
