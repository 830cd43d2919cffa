/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The access of the other end to a queue pair, which one that is, and how it is reached: the native methods of
 * dev.remus.fabric.verbs.RemoteAccess.
 */
#include "disni.h"

#include <errno.h>
#include <string.h>

#define ACCESS(type, name)                                                   \
    JNIEXPORT type JNICALL Java_dev_remus_fabric_verbs_RemoteAccess_##name(  \
        JNIEnv *env, __attribute__((unused)) jclass self, jlong pair_address)

/* This library may be used with another libdisni.so, so it has no table of handles. */

ACCESS(void, grant) {
    const char *call = "ibv_modify_qp";
    struct ibv_qp *pair = checked_address(env, call, "queue pair", pair_address, 8);
    struct ibv_qp_attr attributes;
    int error;
    if (pair == NULL) {
        return;
    }
    memset(&attributes, 0, sizeof attributes);
    attributes.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
    error = ibv_modify_qp(pair, &attributes, IBV_QP_ACCESS_FLAGS);
    if (error != 0) {
        fail_with(env, error, call, QP, pair, "access of the other end");
    }
}

/* Brings a queue pair into a state, as the connection manager does for it, but without access of the other end. */
static bool bring(JNIEnv *env, struct rdma_cm_id *id, enum ibv_qp_state state, const struct rdma_conn_param *connection) {
    struct ibv_qp_attr attributes;
    int mask = 0, error;
    memset(&attributes, 0, sizeof attributes);
    attributes.qp_state = state;
    if (rdma_init_qp_attr(id, &attributes, &mask) != 0) {
        fail_with(env, errno, "rdma_init_qp_attr", CM_ID, id, "state %d", (int)state);
        return false;
    }
    if ((mask & IBV_QP_ACCESS_FLAGS) != 0) {
        attributes.qp_access_flags = 0;
    }
    if ((mask & IBV_QP_MAX_DEST_RD_ATOMIC) != 0) {
        attributes.max_dest_rd_atomic = connection->responder_resources;
    }
    if ((mask & IBV_QP_MAX_QP_RD_ATOMIC) != 0) {
        attributes.max_rd_atomic = connection->initiator_depth;
    }
    error = ibv_modify_qp(id->qp, &attributes, mask);
    if (error != 0) {
        fail_with(env, error, "ibv_modify_qp", QP, id->qp, "state %d", (int)state);
    }
    return error == 0;
}

static uint8_t depth(int device_maximum) {
    return (uint8_t)(device_maximum < MAX_READ_ATOMIC ? device_maximum : MAX_READ_ATOMIC);
}

/*
 * rdma_accept() brings the queue pair of an id into its states itself, with all access. Without a queue pair it only
 * accepts, so the states are set before, and the queue pair is hidden meanwhile.
 */
JNIEXPORT void JNICALL Java_dev_remus_fabric_verbs_RemoteAccess_accept(
    JNIEnv *env, __attribute__((unused)) jclass self, jlong id_address, jint retries, jint receiver_retries) {
    const char *call = "rdma_accept";
    struct rdma_cm_id *id = checked_address(env, call, "connection id", id_address, 8);
    struct rdma_conn_param connection;
    struct ibv_device_attr device;
    struct ibv_qp *pair;
    int result;
    if (id == NULL || !checked_range(env, call, "the retry count", retries, 0, 7) ||
        !checked_range(env, call, "the receiver-not-ready retry count", receiver_retries, 0, 7)) {
        return;
    }
    if (id->verbs == NULL || id->qp == NULL || ibv_query_device(id->verbs, &device) != 0) {
        fail_with(env, EINVAL, call, CM_ID, id, "it has no queue pair");
        return;
    }
    memset(&connection, 0, sizeof connection);
    connection.initiator_depth = depth(device.max_qp_init_rd_atom);
    connection.responder_resources = depth(device.max_qp_rd_atom);
    connection.retry_count = (uint8_t)retries;
    connection.rnr_retry_count = (uint8_t)receiver_retries;
    connection.qp_num = id->qp->qp_num;
    if (!bring(env, id, IBV_QPS_INIT, &connection) || !bring(env, id, IBV_QPS_RTR, &connection) ||
        !bring(env, id, IBV_QPS_RTS, &connection)) {
        return;
    }
    pair = id->qp;
    id->qp = NULL;
    result = rdma_accept(id, &connection);
    id->qp = pair;
    if (result != 0) {
        fail(env, errno, call, CM_ID, id);
    }
}

/* Reads attributes of a queue pair; false with an IOException pending on failure. */
static bool query(JNIEnv *env, jlong pair_address, int mask, struct ibv_qp_attr *attributes) {
    const char *call = "ibv_query_qp";
    struct ibv_qp *pair = checked_address(env, call, "queue pair", pair_address, 8);
    struct ibv_qp_init_attr initial;
    int error;
    if (pair == NULL) {
        return false;
    }
    memset(attributes, 0, sizeof *attributes);
    error = ibv_query_qp(pair, attributes, mask, &initial);
    if (error != 0) {
        fail(env, error, call, QP, pair);
    }
    return error == 0;
}

ACCESS(jint, peer) {
    struct ibv_qp_attr attributes;
    return query(env, pair_address, IBV_QP_DEST_QPN, &attributes) ? (jint)attributes.dest_qp_num : -1;
}

ACCESS(jint, gidIndex) {
    struct ibv_qp_attr attributes;
    if (!query(env, pair_address, IBV_QP_AV, &attributes) || attributes.ah_attr.is_global == 0) {
        return -1;
    }
    return (jint)attributes.ah_attr.grh.sgid_index;
}

ACCESS(jint, number) {
    struct ibv_qp *pair = checked_address(env, "ibv_qp.qp_num", "queue pair", pair_address, 8);
    return pair == NULL ? -1 : (jint)pair->qp_num;
}
