package dev.remus.fabric.verbs;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.LocalSlabs;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What this process has registered with one device, and what that device can do. One for each device, for the life of the
 * process: local memory outlives the endpoint that allocated it, and a domain cannot end before what is registered in it.
 */
final class ProtectionDomain {
    private static final int PAGE = 2 * Handshake.MAX_BYTES;

    private static final Map<Long, ProtectionDomain> BY_DEVICE = new HashMap<>();
    private static final Cleaner CLEANER = Cleaner.create();

    private final long context;
    private final long handle;
    private final DeviceLimits limits;
    private final Queue<LocalMemory> pages = new ConcurrentLinkedQueue<>();
    private final LocalSlabs local = new LocalSlabs(this::allocateWhole);

    private ProtectionDomain(long context) throws IOException {
        this.context = context;
        this.limits = DeviceLimits.of(context);
        this.handle = Verbs.allocateDomain(context);
    }

    /** That of the device that an id is bound to. */
    static ProtectionDomain ofId(long id) throws IOException {
        long context = Verbs.context(id);
        synchronized (BY_DEVICE) {
            ProtectionDomain domain = BY_DEVICE.get(context);
            if (domain == null) {
                domain = new ProtectionDomain(context);
                BY_DEVICE.put(context, domain);
            }
            return domain;
        }
    }

    /** The device, as C knows it. */
    long context() {
        return context;
    }

    /** The domain, as C knows it. */
    long handle() {
        return handle;
    }

    DeviceLimits limits() {
        return limits;
    }

    /**
     * A piece of memory that is registered.
     *
     * @param handle to {@linkplain Verbs#deregister end} it
     */
    record Registration(long handle, int localKey, int remoteKey) {}

    Registration register(long address, long bytes, int access) throws IOException {
        ByteBuffer keys = ByteBuffer.allocateDirect(12).order(ByteOrder.nativeOrder());
        long registration = Verbs.register(handle, address, bytes, access, keys);
        return new Registration(registration, keys.getInt(0), keys.getInt(4));
    }

    /** Memory for results and data, registered until nothing refers to it any more. */
    LocalMemory allocateLocal(long bytes) {
        return local.allocate(bytes);
    }

    private LocalMemory allocateWhole(long bytes) {
        LocalMemory plain = LocalMemory.unregistered(bytes);
        try {
            Registration registration = register(plain.address(), bytes, Verbs.ACCESS_LOCAL);
            LocalMemory memory = plain.registeredAs(registration.localKey());
            CLEANER.register(memory, () -> deregister(registration));
            return memory;
        } catch (IOException e) {
            throw new FabricException(
                    "cannot register " + bytes + " bytes of local memory with " + limits.device() + ": "
                            + e.getMessage() + ". " + MemoryLock.advice(),
                    e);
        }
    }

    /** Memory for the messages of a new connection. */
    LocalMemory borrowPage() {
        LocalMemory page = pages.poll();
        return page != null ? page : allocateLocal(PAGE);
    }

    /** To be called once no device uses it any more. Registering costs more than most of what connecting takes. */
    void giveBackPage(LocalMemory page) {
        pages.add(page);
    }

    /** The device holds the pages until then, so that the memory may be freed before. */
    private static void deregister(Registration registration) {
        try {
            Verbs.deregister(registration.handle());
        } catch (IOException e) {
            throw new FabricException("cannot deregister local memory: " + e.getMessage(), e);
        }
    }
}
