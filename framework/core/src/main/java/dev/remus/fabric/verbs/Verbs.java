// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatIbvMr;
import com.ibm.disni.verbs.impl.NatObject;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.logging.Loggers;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.reflect.Constructor;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The verbs calls, in terms of DiSNI's classes. A call that fails throws an {@link IOException} that names the C
 * function. This class keeps no state; the rules for concurrent calls are those of C. The package comment lists the
 * native methods that are called directly, and why.
 *
 * <p>A call that ends or frees something throws nothing, so that clean-up continues; the end of the process frees the
 * rest.
 */
final class Verbs {
    /** {@code IBV_ACCESS_LOCAL_WRITE}: for the results of READs and atomics. */
    static final int ACCESS_LOCAL = 1;

    /** The same with {@code IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC}. */
    static final int ACCESS_REMOTE = 15;

    // enum rdma_cm_event_type
    static final int ADDRESS_RESOLVED = 0;
    static final int ROUTE_RESOLVED = 2;
    static final int CONNECT_REQUEST = 4;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVED = 11;
    static final int ADDRESS_CHANGED = 14;
    static final int TIMEWAIT_EXIT = 15;
    static final int NO_EVENT = -1;

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    /** The size of a {@code struct sockaddr_in6}, the larger one. */
    private static final int SOCKET_ADDRESS_BYTES = 28;

    private static final int BACKLOG = 128;

    /** DiSNI passes the length on as 32 bits. */
    static final long MAX_REGISTRATION = (1L << 32) - 1;

    private static final Logger LOG = Loggers.of(Verbs.class);

    private static final @Nullable NativeDispatcher NATIVES;
    private static final @Nullable Throwable FAILURE;

    static {
        @Nullable NativeDispatcher natives = null;
        @Nullable Throwable failure = null;
        try {
            NativeLibrary.load();
            // The constructor checks the library's version. It is not public, but accessible in the unnamed module.
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

    /** @throws FabricException if no native library can be used */
    static void checkLoaded() {
        if (FAILURE != null) {
            throw new FabricException(
                    "fabric verbs: the native library libdisni.so cannot be used: " + FAILURE.getMessage()
                            + ". ./remus doctor lists what is missing",
                    FAILURE);
        }
    }

    private static NativeDispatcher natives() {
        assert NATIVES != null : "checkLoaded() must be called first";
        return NATIVES;
    }

    /** The address of the C object behind a DiSNI object, for direct calls. */
    static long handle(Object object) {
        return ((NatObject) object).getObjId();
    }

    static RdmaEventChannel createChannel() throws IOException {
        return RdmaEventChannel.createEventChannel();
    }

    static void destroy(RdmaEventChannel channel) {
        try {
            channel.destroyEventChannel();
        } catch (Exception e) { // DiSNI does not declare all that the library throws
            warn(e);
        }
    }

    static RdmaCmId createId(RdmaEventChannel channel) throws IOException {
        return channel.createId(RdmaCm.RDMA_PS_TCP);
    }

    /**
     * The id of a connection request. The channel keeps no reference to it, as it would to an id that DiSNI creates.
     */
    static RdmaCmId requested(RdmaEventChannel channel, long id) throws IOException {
        return new NatCmaIdPrivate(id, channel, natives());
    }

    static void destroy(RdmaCmId id) {
        try {
            id.destroyId();
        } catch (Exception e) { // DiSNI does not declare all that the library throws
            warn(e);
        }
    }

    static void bind(RdmaCmId id, InetAddress address, int port) throws IOException {
        ByteBuffer socketAddress = socketAddress(address, port);
        natives()._bindAddr(handle(id), LocalBuffer.address(socketAddress));
        Reference.reachabilityFence(socketAddress);
    }

    static void listen(RdmaCmId id) throws IOException {
        id.listen(BACKLOG);
    }

    static void resolveAddress(RdmaCmId id, InetAddress address, int port, int timeoutMillis) throws IOException {
        ByteBuffer socketAddress = socketAddress(address, port);
        natives()._resolveAddr(handle(id), 0, LocalBuffer.address(socketAddress), timeoutMillis);
        Reference.reachabilityFence(socketAddress);
    }

    static void resolveRoute(RdmaCmId id, int timeoutMillis) throws IOException {
        id.resolveRoute(timeoutMillis);
    }

    /** Ends a connection, so that all outstanding requests on its queue pair fail. */
    static void disconnect(RdmaCmId id) {
        try {
            id.disconnect();
        } catch (Exception e) { // DiSNI does not declare all that the library throws
            warn(e);
        }
    }

    /**
     * The next event of a channel, acknowledged.
     *
     * @param out word 0 receives the listening id, word 1 the id that the event concerns
     * @return the type, or {@link #NO_EVENT} if there is none within that time
     */
    static int event(RdmaEventChannel channel, ByteBuffer out, int timeoutMillis) throws IOException {
        long address = LocalBuffer.address(out);
        int type = natives()._getCmEvent(handle(channel), address, address + Long.BYTES, timeoutMillis);
        Reference.reachabilityFence(out);
        return type;
    }

    /** A buffer for {@link #event}. */
    static ByteBuffer newEvent() {
        return ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());
    }

    /** The device that an id is bound to. */
    static IbvContext context(RdmaCmId id) throws IOException {
        @Nullable IbvContext context = id.getVerbs();
        if (context == null) {
            throw new IOException("the address belongs to no RDMA device");
        }
        return context;
    }

    static IbvPd allocateDomain(IbvContext context) throws IOException {
        return context.allocPd();
    }

    /**
     * Registers memory.
     *
     * @param bytes at most 2^32 - 1
     */
    static IbvMr register(IbvPd domain, long address, long bytes, int access) throws IOException {
        ByteBuffer out = ByteBuffer.allocateDirect(12).order(ByteOrder.nativeOrder());
        long keys = LocalBuffer.address(out);
        long region = natives()._regMr(handle(domain), address, (int) bytes, access, keys, keys + 4, keys + 8);
        Reference.reachabilityFence(out);
        return new NatIbvMr(
                region, domain.getContext(), address, (int) bytes, access, out.getInt(0), out.getInt(4), out.getInt(8));
    }

    static void deregister(IbvMr region) throws IOException {
        region.deregMr().execute().free();
    }

    static IbvCompChannel createCompletionChannel(IbvContext context) throws IOException {
        return context.createCompChannel();
    }

    static IbvCQ createCompletionQueue(IbvCompChannel channel, int entries) throws IOException {
        return channel.getContext().createCQ(channel, entries, 0);
    }

    static void destroy(IbvPd domain) {
        try {
            domain.deallocPd();
        } catch (Exception e) { // DiSNI does not declare all that the library throws
            warn(e);
        }
    }

    static void destroy(IbvCQ queue) {
        try {
            queue.destroyCQ();
        } catch (Exception e) { // DiSNI does not declare all that the library throws
            warn(e);
        }
    }

    /** A reliable connected queue pair for an id, with one completion queue for both directions. */
    static IbvQP createQueuePair(RdmaCmId id, IbvPd domain, IbvCQ queue, int sends, int receives, int inlineBytes)
            throws IOException {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queue);
        attributes.setRecv_cq(queue);
        attributes.cap().setMax_send_wr(sends);
        attributes.cap().setMax_recv_wr(receives);
        attributes.cap().setMax_inline_data(inlineBytes);
        return id.createQP(domain, attributes);
    }

    static void destroyQueuePair(RdmaCmId id) {
        try {
            id.destroyQP();
        } catch (Exception e) { // DiSNI does not declare all that the library throws
            warn(e);
        }
    }

    /**
     * Posts a list of {@code ibv_send_wr}, as laid out by {@link WorkRequests}. If it throws, part of the list may be
     * posted.
     */
    static void postSend(long queuePair, long list) throws IOException {
        natives()._postSend(queuePair, list);
    }

    static void postReceive(long queuePair, long list) throws IOException {
        natives()._postRecv(queuePair, list);
    }

    /** Fills an array of {@code ibv_wc}; returns the number of completions. */
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

    /** A {@code struct sockaddr_in}, or a {@code struct sockaddr_in6}. */
    private static ByteBuffer socketAddress(InetAddress address, int port) {
        ByteBuffer struct = ByteBuffer.allocateDirect(SOCKET_ADDRESS_BYTES);
        byte[] host = address.getAddress();
        boolean six = address instanceof Inet6Address;
        struct.order(ByteOrder.nativeOrder()).putShort(0, (short) (six ? AF_INET6 : AF_INET));
        struct.order(ByteOrder.BIG_ENDIAN).putShort(2, (short) port);
        struct.put(six ? 8 : 4, host, 0, host.length);
        if (address instanceof Inet6Address withScope) {
            struct.order(ByteOrder.nativeOrder()).putInt(24, withScope.getScopeId());
        }
        return struct;
    }
}
