// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import dev.remus.config.ClusterConfig;
import java.io.IOException;

/**
 * How the packets of a connection are sent, and sent again: {@code rdma_set_option(3)}, {@code rdma_connect(3)}. Each
 * end of a connection has options of its own; both ends have the traffic class of the end that connects.
 */
final class PathOptions {
    private final int ackTimeout;
    private final int retries;
    private final int receiverRetries;
    private final int trafficClass;

    /**
     * Options of both ends.
     *
     * @param ackTimeout {@link ClusterConfig#ackTimeout}
     * @param retries {@link ClusterConfig#retryCount}
     * @param receiverRetries {@link ClusterConfig#rnrRetryCount}
     * @param trafficClass {@link ClusterConfig#trafficClass}
     */
    PathOptions(int ackTimeout, int retries, int receiverRetries, int trafficClass) {
        this.ackTimeout = ackTimeout;
        this.retries = retries;
        this.receiverRetries = receiverRetries;
        this.trafficClass = trafficClass;
    }

    static PathOptions of(ClusterConfig config) {
        return new PathOptions(config.ackTimeout(), config.retryCount(), config.rnrRetryCount(), config.trafficClass());
    }

    /** To be called before the route of an id is resolved. */
    void setTrafficClass(RdmaCmId id) throws IOException {
        if (trafficClass != 0) {
            setTrafficClass(Verbs.handle(id), trafficClass);
        }
    }

    /** Connects an id whose route is resolved. */
    void connect(RdmaCmId id) throws IOException {
        id.connect(parameters(id));
    }

    /** Accepts the connection that an id was made for. The other end may only send messages. */
    void accept(RdmaCmId id) throws IOException {
        setAckTimeout(id);
        RemoteAccess.accept(Verbs.handle(id), retries, receiverRetries);
    }

    private void setAckTimeout(RdmaCmId id) throws IOException {
        if (ackTimeout != 0) {
            setAckTimeout(Verbs.handle(id), ackTimeout);
        }
    }

    private RdmaConnParam parameters(RdmaCmId id) throws IOException {
        setAckTimeout(id);
        RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count((byte) retries);
        parameters.setRnr_retry_count((byte) receiverRetries);
        return parameters;
    }

    private static native void setTrafficClass(long id, int value) throws IOException;

    private static native void setAckTimeout(long id, int value) throws IOException;
}
