/* SPDX-License-Identifier: Apache-2.0 */
/* Connections through the connection manager: event channels, ids, addresses, connecting. rdma_cm(7). */
#include "disni.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

/* The most private data of rdma_connect(3) in RDMA_PS_TCP. */
enum { MAX_PRIVATE_DATA = 56 };

/* Three bits each in InfiniBand's queue pair; 7 receiver-not-ready retries mean unlimited. */
enum { MAX_RETRIES = 7 };

/* ---- event channels ---- */

NATIVE(jlong, createEventChannel) {
    const char *call = "rdma_create_event_channel";
    struct rdma_event_channel *channel = rdma_create_event_channel();
    jlong handle;
    if (channel == NULL) {
        return fail_with(env, errno, call, EVENT_CHANNEL, NULL, "is the kernel module rdma_ucm loaded?");
    }
    handle = make_nonblocking(channel->fd)
                 ? handle_give(env, call, EVENT_CHANNEL, channel)
                 : fail_with(env, errno, "fcntl", EVENT_CHANNEL, channel, "making it non-blocking");
    if (handle < 0) {
        rdma_destroy_event_channel(channel);
    }
    return handle;
}

static bool is_of_channel(const void *id, const void *channel) {
    return ((const struct rdma_cm_id *)id)->channel == channel;
}

NATIVE(jint, destroyEventChannel, jlong channel_handle) {
    const char *call = "rdma_destroy_event_channel";
    struct rdma_event_channel *channel = handle_object(env, call, EVENT_CHANNEL, channel_handle);
    if (channel == NULL) {
        return -1;
    }
    if (handle_exists(CM_ID, is_of_channel, channel)) {
        return fail_with(env, EBUSY, call, EVENT_CHANNEL, channel, "destroy its connection ids first");
    }
    if (handle_take_back(EVENT_CHANNEL, channel)) {
        rdma_destroy_event_channel(channel);
    }
    return 0;
}

/* The handle for the id of an event. Only in a connection request is the id new to Java. */
static jlong event_handle(JNIEnv *env, struct rdma_cm_id *id) {
    return id == NULL ? -1 : handle_give(env, "rdma_get_cm_event", CM_ID, id);
}

NATIVE(jint, getCmEvent, jlong channel_handle, jlong listen_id_address, jlong id_address, jint timeout_ms) {
    const char *call = "rdma_get_cm_event";
    struct rdma_event_channel *channel = handle_object(env, call, EVENT_CHANNEL, channel_handle);
    jlong *listen_id = channel == NULL ? NULL : checked_address(env, call, "listening id", listen_id_address, 8);
    jlong *id = listen_id == NULL ? NULL : checked_address(env, call, "connection id", id_address, 8);
    int64_t deadline = deadline_after(timeout_ms);
    struct rdma_cm_event *event;
    int type;
    if (id == NULL) {
        return -1;
    }
    while (rdma_get_cm_event(channel, &event) != 0) {
        int ready = errno == EAGAIN || errno == EINTR ? wait_readable(channel->fd, deadline) : -1;
        if (ready < 0) {
            return fail(env, errno, call, EVENT_CHANNEL, channel);
        }
        if (ready == 0) {
            return -1;
        }
    }
    /* Java acknowledges by the type alone, without access to the event, so the event is acknowledged here. */
    *listen_id = event->listen_id == NULL ? -1 : (jlong)(uintptr_t)event->listen_id;
    *id = event_handle(env, event->id);
    type = (int)event->event;
    rdma_ack_cm_event(event);
    return (*env)->ExceptionCheck(env) ? -1 : type;
}

NATIVE(jint, ackCmEvent, __attribute__((unused)) jint type) {
    return 0; /* done by getCmEvent */
}

/* ---- ids ---- */

NATIVE(jlong, createId, jlong channel_handle, jshort port_space) {
    const char *call = "rdma_create_id";
    struct rdma_event_channel *channel = handle_object(env, call, EVENT_CHANNEL, channel_handle);
    struct rdma_cm_id *id;
    jlong handle;
    if (channel == NULL) {
        return -1;
    }
    if (rdma_create_id(channel, &id, NULL, (enum rdma_port_space)(uint16_t)port_space) != 0) {
        return fail_with(env, errno, call, EVENT_CHANNEL, channel, "port space 0x%x", (unsigned)(uint16_t)port_space);
    }
    handle = handle_give(env, call, CM_ID, id);
    if (handle < 0) {
        rdma_destroy_id(id);
    }
    return handle;
}

NATIVE(jint, destroyCmId, jlong id_handle) {
    const char *call = "rdma_destroy_id";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    if (id == NULL) {
        return -1;
    }
    if (id->qp != NULL) {
        return fail_with(env, EBUSY, call, CM_ID, id, "destroy its queue pair first");
    }
    if (handle_take_back(CM_ID, id) && rdma_destroy_id(id) != 0) {
        fail(env, errno, call, CM_ID, id);
        handle_give(env, call, CM_ID, id); /* it is unchanged */
        return -1;
    }
    return 0;
}

NATIVE(jint, destroyEp, jlong id_handle) {
    struct rdma_cm_id *id = handle_object(env, "rdma_destroy_ep", CM_ID, id_handle);
    if (id == NULL) {
        return -1;
    }
    if (handle_take_back(CM_ID, id)) {
        if (id->qp != NULL) {
            handle_take_back(QP, id->qp);
        }
        rdma_destroy_ep(id);
    }
    return 0;
}

/*
 * Returns -1 without an exception if the id is not bound to a device yet, such as a listener on all
 * addresses.
 */
NATIVE(jlong, getContext, jlong id_handle) {
    const char *call = "rdma_cm_id.verbs";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    return id == NULL || id->verbs == NULL ? -1 : handle_give(env, call, CONTEXT, id->verbs);
}

/* ---- addresses ---- */

/* The address of a port in IPv4 or IPv6. */
union socket_address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

/*
 * Copies an address as long as its family says. Of IPv4, DiSNI writes family, port and host; the rest of its buffer is
 * stale.
 */
static bool read_address(JNIEnv *env, const char *call, jlong address, union socket_address *to) {
    const struct sockaddr *from = checked_address(env, call, "socket address", address, 4);
    if (from == NULL) {
        return false;
    }
    memset(to, 0, sizeof *to);
    switch (from->sa_family) {
    case AF_INET:
        memcpy(to, from, offsetof(struct sockaddr_in, sin_zero));
        return true;
    case AF_INET6:
        memcpy(to, from, sizeof to->six);
        return true;
    default:
        refuse(env, call, "address family %d; only IPv4 (%d) and IPv6 (%d) are supported", from->sa_family, AF_INET,
               AF_INET6);
        return false;
    }
}

static void fail_at_address(JNIEnv *env, int error, const char *call, const struct rdma_cm_id *id,
                            const union socket_address *address) {
    char host[INET6_ADDRSTRLEN] = "?";
    if (address->any.sa_family == AF_INET) {
        inet_ntop(AF_INET, &address->four.sin_addr, host, sizeof host);
        fail_with(env, error, call, CM_ID, id, "%s:%u", host, ntohs(address->four.sin_port));
    } else {
        inet_ntop(AF_INET6, &address->six.sin6_addr, host, sizeof host);
        fail_with(env, error, call, CM_ID, id, "[%s]:%u", host, ntohs(address->six.sin6_port));
    }
}

NATIVE(void, bindAddr, jlong id_handle, jlong address) {
    const char *call = "rdma_bind_addr";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    union socket_address own;
    if (id != NULL && read_address(env, call, address, &own) && rdma_bind_addr(id, &own.any) != 0) {
        fail_at_address(env, errno, call, id, &own);
    }
}

NATIVE(void, resolveAddr, jlong id_handle, jlong source, jlong destination, jint timeout_ms) {
    const char *call = "rdma_resolve_addr";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    union socket_address from, to;
    if (id == NULL || (source != 0 && !read_address(env, call, source, &from)) ||
        !read_address(env, call, destination, &to) ||
        !checked_range(env, call, "the time-out in ms", timeout_ms, 0, INT32_MAX)) {
        return;
    }
    if (rdma_resolve_addr(id, source == 0 ? NULL : &from.any, &to.any, timeout_ms) != 0) {
        fail_at_address(env, errno, call, id, &to);
    }
}

NATIVE(void, resolveRoute, jlong id_handle, jint timeout_ms) {
    const char *call = "rdma_resolve_route";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    if (id != NULL && checked_range(env, call, "the time-out in ms", timeout_ms, 0, INT32_MAX) &&
        rdma_resolve_route(id, timeout_ms) != 0) {
        fail(env, errno, call, CM_ID, id);
    }
}

/* Returns 0, or -1 without an exception if the id has no such address yet, or one of IPv6, for which DiSNI has no room. */
static jint write_address(JNIEnv *env, const char *call, const struct sockaddr *from, jlong address) {
    void *to = checked_address(env, call, "socket address", address, 4);
    if (to == NULL || from->sa_family != AF_INET) {
        return -1;
    }
    memcpy(to, from, sizeof(struct sockaddr_in));
    return 0;
}

NATIVE(jint, getSrcAddr, jlong id_handle, jlong address) {
    const char *call = "rdma_get_local_addr";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    return id == NULL ? -1 : write_address(env, call, rdma_get_local_addr(id), address);
}

NATIVE(jint, getDstAddr, jlong id_handle, jlong address) {
    const char *call = "rdma_get_peer_addr";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    return id == NULL ? -1 : write_address(env, call, rdma_get_peer_addr(id), address);
}

/* ---- connecting ---- */

NATIVE(void, listen, jlong id_handle, jint backlog) {
    const char *call = "rdma_listen";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    if (id != NULL && checked_range(env, call, "the backlog", backlog, 0, INT32_MAX) && rdma_listen(id, backlog) != 0) {
        fail_with(env, errno, call, CM_ID, id, "backlog %d", (int)backlog);
    }
}

static uint8_t read_atomic_depth(int device_maximum) {
    return (uint8_t)(device_maximum < MAX_READ_ATOMIC ? device_maximum : MAX_READ_ATOMIC);
}

/*
 * The parameters of a connection: those of DiSNI, and the number of READs and atomics in flight, which DiSNI
 * lacks and whose default allows none. options.c can set the time-out of acknowledgements before.
 */
static bool connection_of(JNIEnv *env, const char *call, struct rdma_cm_id *id, int retries, int receiver_retries,
                          struct rdma_conn_param *connection) {
    struct ibv_device_attr device;
    int error;
    if (!checked_range(env, call, "the retry count", retries, 0, MAX_RETRIES) ||
        !checked_range(env, call, "the receiver-not-ready retry count", receiver_retries, 0, MAX_RETRIES)) {
        return false;
    }
    if (id->verbs == NULL) {
        fail_with(env, EINVAL, call, CM_ID, id, "it is bound to no device; resolve an address first");
        return false;
    }
    error = ibv_query_device(id->verbs, &device);
    if (error != 0) {
        fail(env, error, "ibv_query_device", CONTEXT, id->verbs);
        return false;
    }
    memset(connection, 0, sizeof *connection);
    connection->initiator_depth = read_atomic_depth(device.max_qp_init_rd_atom);
    connection->responder_resources = read_atomic_depth(device.max_qp_rd_atom);
    connection->retry_count = (uint8_t)retries;
    connection->rnr_retry_count = (uint8_t)receiver_retries;
    return true;
}

NATIVE(void, connect, jlong id_handle, jint retries, jint receiver_retries, jlong private_data, jbyte length) {
    const char *call = "rdma_connect";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    struct rdma_conn_param connection;
    if (id == NULL || !checked_range(env, call, "the length of the private data", length, 0, MAX_PRIVATE_DATA) ||
        !connection_of(env, call, id, retries, receiver_retries, &connection)) {
        return;
    }
    if (length > 0) {
        connection.private_data = checked_address(env, call, "private data", private_data, 1);
        connection.private_data_len = (uint8_t)length;
        if (connection.private_data == NULL) {
            return;
        }
    }
    if (rdma_connect(id, &connection) != 0) {
        fail(env, errno, call, CM_ID, id);
    }
}

NATIVE(void, accept, jlong id_handle, jint retries, jint receiver_retries) {
    const char *call = "rdma_accept";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    struct rdma_conn_param connection;
    if (id != NULL && connection_of(env, call, id, retries, receiver_retries, &connection) &&
        rdma_accept(id, &connection) != 0) {
        fail(env, errno, call, CM_ID, id);
    }
}

NATIVE(jint, disconnect, jlong id_handle) {
    const char *call = "rdma_disconnect";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    if (id == NULL) {
        return -1;
    }
    if (rdma_disconnect(id) != 0 && errno != EINVAL && errno != ENOTCONN) { /* no longer connected */
        return fail(env, errno, call, CM_ID, id);
    }
    return 0;
}
