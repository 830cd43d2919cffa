package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalMemory;
import dev.remus.logging.Loggers;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.reflect.Constructor;
import java.net.Inet4Address;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The native calls, by the addresses of their C objects. What fails throws an {@link IOException} that names the C
 * function. Nothing here keeps state; who may call what at the same time is as in C.
 *
 * <p>What ends or frees something throws nothing: whoever cleans up has to go on, and what is left goes with the process.
 */
final class Verbs {
    /** {@code IBV_ACCESS_LOCAL_WRITE}: for the results of READs and atomics. */
    static final int ACCESS_LOCAL = 1;

    /** The same and {@code IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC}. */
    static final int ACCESS_REMOTE = 15;

    // enum rdma_cm_event_type
    static final int ADDRESS_RESOLVED = 0;
    static final int ROUTE_RESOLVED = 2;
    static final int CONNECT_REQUEST = 4;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVED = 11;
    static final int TIMEWAIT_EXIT = 15;
    static final int NO_EVENT = -1;

    private static final short PORT_SPACE_TCP = 0x106;
    private static final int RELIABLE_CONNECTED = 2;
    private static final int AF_INET = 2;
    private static final int BACKLOG = 128;

    /**
     * How often a request that is not acknowledged is sent again, some 2 s apart: the most but one. Soft-RoCE (Linux 6.1)
     * takes 7 to mean without end.
     */
    private static final int RETRIES = 6;

    /** The same for one that arrives before there is a RECV for it: without end, {@code rdma_connect(3)}. */
    private static final int RNR_RETRIES = 7;

    /** DiSNI hands the length on as 32 bits. */
    static final long MAX_REGISTRATION = (1L << 32) - 1;

    private static final Logger LOG = Loggers.of(Verbs.class);

    private static final @Nullable NativeDispatcher NATIVES;
    private static final @Nullable Throwable FAILURE;

    static {
        @Nullable NativeDispatcher natives = null;
        @Nullable Throwable failure = null;
        try {
            NativeLibrary.load();
            // Its constructor, which checks the library's version, is not public; in the unnamed module that is no
            // obstacle.
            Constructor<NativeDispatcher> constructor = NativeDispatcher.class.getDeclaredConstructor();
            constructor.setAccessible(true);
            natives = constructor.newInstance();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            failure = e.getCause() == null ? e : e.getCause();
        }
        NATIVES = natives;
        FAILURE = failure;
    }

    private Verbs() {}

    /** @throws FabricException if there is no native library that can be used */
    static void checkLoaded() {
        if (FAILURE != null) {
            throw new FabricException(
                    "--fabric verbs: the native library libdisni.so cannot be used: " + FAILURE.getMessage()
                            + ". ./remus doctor says what is missing",
                    FAILURE);
        }
    }

    private static NativeDispatcher natives() {
        assert NATIVES != null : "checkLoaded() comes first";
        return NATIVES;
    }

    static long createChannel() throws IOException {
        return natives()._createEventChannel();
    }

    static void destroyChannel(long channel) {
        try {
            natives()._destroyEventChannel(channel);
        } catch (Exception e) { // DiSNI does not declare what the library throws
            warn(e);
        }
    }

    static long createId(long channel) throws IOException {
        return natives()._createId(channel, PORT_SPACE_TCP);
    }

    static void destroyId(long id) {
        try {
            natives()._destroyCmId(id);
        } catch (Exception e) { // DiSNI does not declare what the library throws
            warn(e);
        }
    }

    static void bind(long id, Inet4Address address, int port) throws IOException {
        ByteBuffer socketAddress = socketAddress(address, port);
        natives()._bindAddr(id, LocalMemory.address(socketAddress));
        Reference.reachabilityFence(socketAddress);
    }

    static void listen(long id) throws IOException {
        natives()._listen(id, BACKLOG);
    }

    static void resolveAddress(long id, Inet4Address address, int port, int timeoutMillis) throws IOException {
        ByteBuffer socketAddress = socketAddress(address, port);
        natives()._resolveAddr(id, 0, LocalMemory.address(socketAddress), timeoutMillis);
        Reference.reachabilityFence(socketAddress);
    }

    static void resolveRoute(long id, int timeoutMillis) throws IOException {
        natives()._resolveRoute(id, timeoutMillis);
    }

    static void connect(long id) throws IOException {
        natives()._connect(id, RETRIES, RNR_RETRIES, 0, (byte) 0);
    }

    static void accept(long id) throws IOException {
        natives()._accept(id, RETRIES, RNR_RETRIES);
    }

    /** Ends a connection and lets what is outstanding on its queue pair fail. */
    static void disconnect(long id) {
        try {
            natives()._disconnect(id);
        } catch (Exception e) { // DiSNI does not declare what the library throws
            warn(e);
        }
    }

    /**
     * The next event of a channel, acknowledged.
     *
     * @param out its word 0 gets the id that listens, its word 1 the id that the event is about
     * @return the type, or {@link #NO_EVENT} if there is none within that time
     */
    static int event(long channel, ByteBuffer out, int timeoutMillis) throws IOException {
        long address = LocalMemory.address(out);
        int type = natives()._getCmEvent(channel, address, address + Long.BYTES, timeoutMillis);
        Reference.reachabilityFence(out);
        return type;
    }

    /** A buffer for {@link #event}. */
    static ByteBuffer newEvent() {
        return ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());
    }

    /** The device that an id is bound to. */
    static long context(long id) throws IOException {
        long context = natives()._getContext(id);
        if (context <= 0) {
            throw new IOException("the address belongs to no RDMA device");
        }
        return context;
    }

    static long allocateDomain(long context) throws IOException {
        return natives()._allocPd(context);
    }

    /**
     * Registers memory.
     *
     * @param bytes at most 2^32 - 1
     * @param keys its first int gets the local key, its second the remote key; 12 bytes
     */
    static long register(long domain, long address, long bytes, int access, ByteBuffer keys) throws IOException {
        long out = LocalMemory.address(keys);
        long registration = natives()._regMr(domain, address, (int) bytes, access, out, out + 4, out + 8);
        Reference.reachabilityFence(keys);
        return registration;
    }

    static void deregister(long registration) throws IOException {
        natives()._deregMr(registration);
    }

    static long createCompletionQueue(long context, int entries) throws IOException {
        return natives()._createCQ(context, 0, entries, 0);
    }

    static void destroyCompletionQueue(long queue) {
        try {
            natives()._destroyCQ(queue);
        } catch (Exception e) { // DiSNI does not declare what the library throws
            warn(e);
        }
    }

    /** A reliable connected queue pair for an id, with one completion queue for both directions. */
    static long createQueuePair(long id, long domain, long completionQueue, int sends, int receives)
            throws IOException {
        return natives()
                ._createQP(id, domain, completionQueue, completionQueue, RELIABLE_CONNECTED, sends, receives, 0);
    }

    static void destroyQueuePair(long id) {
        try {
            natives()._destroyQP(id);
        } catch (Exception e) { // DiSNI does not declare what the library throws
            warn(e);
        }
    }

    /** Posts a list of {@code ibv_send_wr}, as laid out by {@link WorkRequests}. If it throws, a part may be posted. */
    static void postSend(long queuePair, long list) throws IOException {
        natives()._postSend(queuePair, list);
    }

    static void postReceive(long queuePair, long list) throws IOException {
        natives()._postRecv(queuePair, list);
    }

    /** Fills an array of {@code ibv_wc}; returns how many. */
    static int poll(long completionQueue, int most, long array) throws IOException {
        int n = natives()._pollCQ(completionQueue, most, array);
        if (n < 0) {
            throw new IOException("ibv_poll_cq failed");
        }
        return n;
    }

    private static void warn(Exception e) {
        LOG.warn("verbs: {}", e.getMessage());
    }

    /** A {@code struct sockaddr_in}. */
    private static ByteBuffer socketAddress(Inet4Address address, int port) {
        ByteBuffer struct = ByteBuffer.allocateDirect(16);
        struct.order(ByteOrder.nativeOrder()).putShort(0, (short) AF_INET);
        struct.order(ByteOrder.BIG_ENDIAN).putShort(2, (short) port);
        struct.put(4, address.getAddress(), 0, 4);
        return struct;
    }
}
