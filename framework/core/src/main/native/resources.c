/* SPDX-License-Identifier: Apache-2.0 */
/* The resources of connections: protection domains, memory regions, completion queues, queue pairs. */
#include "disni.h"

#include <errno.h>
#include <string.h>

/* ---- device contexts ---- */

NATIVE(jint, getContextFd, jlong context_handle) {
    struct ibv_context *context = handle_object(env, "ibv_context.cmd_fd", CONTEXT, context_handle);
    return context == NULL ? -1 : context->cmd_fd;
}

NATIVE(jint, getContextNumCompVectors, jlong context_handle) {
    struct ibv_context *context = handle_object(env, "ibv_context.num_comp_vectors", CONTEXT, context_handle);
    return context == NULL ? -1 : context->num_comp_vectors;
}

/* On-demand paging is not supported: memory is registered once and stays. */
NATIVE(jint, queryOdpSupport, jlong context_handle) {
    handle_object(env, "ibv_query_device_ex", CONTEXT, context_handle);
    return -1;
}

NATIVE(jint, expPrefetchMr, jlong region_handle, __attribute__((unused)) jlong address,
       __attribute__((unused)) jint length) {
    struct ibv_mr *region = handle_object(env, "ibv_advise_mr", MR, region_handle);
    if (region != NULL) {
        fail_with(env, EOPNOTSUPP, "ibv_advise_mr", MR, region, "on-demand paging is not supported");
    }
    return -1;
}

/* ---- protection domains ---- */

NATIVE(jlong, allocPd, jlong context_handle) {
    const char *call = "ibv_alloc_pd";
    struct ibv_context *context = handle_object(env, call, CONTEXT, context_handle);
    struct ibv_pd *domain;
    jlong handle;
    if (context == NULL) {
        return -1;
    }
    domain = ibv_alloc_pd(context);
    if (domain == NULL) {
        return fail(env, errno, call, CONTEXT, context);
    }
    handle = handle_give(env, call, PD, domain);
    if (handle < 0) {
        ibv_dealloc_pd(domain);
    }
    return handle;
}

NATIVE(jint, getPdHandle, jlong domain_handle) {
    struct ibv_pd *domain = handle_object(env, "ibv_pd.handle", PD, domain_handle);
    return domain == NULL ? -1 : (jint)domain->handle;
}

/*
 * Completes the destruction of an object: its handle becomes invalid, unless the destruction failed, which
 * leaves the object unchanged. The error is the result of the function that destroys the object: 0 or errno.
 */
static jint ended(JNIEnv *env, int error, const char *call, enum kind kind, void *object, const char *advice) {
    if (error != 0) {
        fail_with(env, error, call, kind, object, "%s", advice);
        handle_give(env, call, kind, object);
        return -1;
    }
    return 0;
}

NATIVE(jint, deallocPd, jlong domain_handle) {
    const char *call = "ibv_dealloc_pd";
    struct ibv_pd *domain = handle_object(env, call, PD, domain_handle);
    if (domain == NULL || !handle_take_back(PD, domain)) {
        return -1;
    }
    return ended(env, ibv_dealloc_pd(domain), call, PD, domain, "destroy its queue pairs and memory regions first");
}

/* ---- memory regions ---- */

NATIVE(jlong, regMr, jlong domain_handle, jlong address, jint length, jint access, jlong local_key_address,
       jlong remote_key_address, jlong handle_address) {
    const char *call = "ibv_reg_mr";
    struct ibv_pd *domain = handle_object(env, call, PD, domain_handle);
    void *memory = domain == NULL ? NULL : checked_address(env, call, "memory", address, 1);
    uint32_t *local_key = memory == NULL ? NULL : checked_address(env, call, "local key", local_key_address, 4);
    uint32_t *remote_key = local_key == NULL ? NULL : checked_address(env, call, "remote key", remote_key_address, 4);
    uint32_t *number = remote_key == NULL ? NULL : checked_address(env, call, "region's number", handle_address, 4);
    size_t bytes = (uint32_t)length; /* Java's int, up to 4 GiB - 1 */
    struct ibv_mr *region;
    jlong handle;
    if (number == NULL) {
        return -1;
    }
    if (bytes == 0) {
        return fail_with(env, EINVAL, call, PD, domain, "0 bytes at %p", memory);
    }
    region = ibv_reg_mr(domain, memory, bytes, access);
    if (region == NULL) {
        return fail_with(env, errno, call, PD, domain, "%zu bytes at %p, access 0x%x%s", bytes, memory,
                         (unsigned)access,
                         errno == ENOMEM ? " (is the limit of locked memory too low? see ulimit -l)" : "");
    }
    handle = handle_give(env, call, MR, region);
    if (handle < 0) {
        ibv_dereg_mr(region);
        return -1;
    }
    *local_key = region->lkey;
    *remote_key = region->rkey;
    *number = region->handle;
    return handle;
}

NATIVE(void, deregMr, jlong region_handle) {
    const char *call = "ibv_dereg_mr";
    struct ibv_mr *region = handle_object(env, call, MR, region_handle);
    if (region != NULL && handle_take_back(MR, region)) {
        ended(env, ibv_dereg_mr(region), call, MR, region, "");
    }
}

/* ---- completion channels and queues ---- */

NATIVE(jlong, createCompChannel, jlong context_handle) {
    const char *call = "ibv_create_comp_channel";
    struct ibv_context *context = handle_object(env, call, CONTEXT, context_handle);
    struct ibv_comp_channel *channel;
    jlong handle;
    if (context == NULL) {
        return -1;
    }
    channel = ibv_create_comp_channel(context);
    if (channel == NULL) {
        return fail(env, errno, call, CONTEXT, context);
    }
    handle = make_nonblocking(channel->fd)
                 ? handle_give(env, call, COMP_CHANNEL, channel)
                 : fail_with(env, errno, "fcntl", COMP_CHANNEL, channel, "making it non-blocking");
    if (handle < 0) {
        ibv_destroy_comp_channel(channel);
    }
    return handle;
}

NATIVE(jint, destroyCompChannel, jlong channel_handle) {
    const char *call = "ibv_destroy_comp_channel";
    struct ibv_comp_channel *channel = handle_object(env, call, COMP_CHANNEL, channel_handle);
    if (channel == NULL || !handle_take_back(COMP_CHANNEL, channel)) {
        return -1;
    }
    return ended(env, ibv_destroy_comp_channel(channel), call, COMP_CHANNEL, channel,
                 "destroy its completion queues first");
}

NATIVE(jlong, createCQ, jlong context_handle, jlong channel_handle, jint entries, jint vector) {
    const char *call = "ibv_create_cq";
    struct ibv_context *context = handle_object(env, call, CONTEXT, context_handle);
    struct ibv_comp_channel *channel = NULL; /* 0: none is wanted */
    struct ibv_cq *queue;
    jlong handle;
    if (context == NULL ||
        (channel_handle != 0 && (channel = handle_object(env, call, COMP_CHANNEL, channel_handle)) == NULL) ||
        !checked_range(env, call, "the number of entries", entries, 1, INT32_MAX) ||
        !checked_range(env, call, "the completion vector", vector, 0, context->num_comp_vectors - 1)) {
        return -1;
    }
    queue = ibv_create_cq(context, entries, NULL, channel, vector);
    if (queue == NULL) {
        return fail_with(env, errno, call, CONTEXT, context, "%d entries", (int)entries);
    }
    handle = handle_give(env, call, CQ, queue);
    if (handle < 0) {
        ibv_destroy_cq(queue);
    }
    return handle;
}

NATIVE(jint, destroyCQ, jlong queue_handle) {
    const char *call = "ibv_destroy_cq";
    struct ibv_cq *queue = handle_object(env, call, CQ, queue_handle);
    if (queue == NULL || !handle_take_back(CQ, queue)) {
        return -1;
    }
    return ended(env, ibv_destroy_cq(queue), call, CQ, queue, "destroy its queue pairs first");
}

/* ---- queue pairs ---- */

NATIVE(jlong, createQP, jlong id_handle, jlong domain_handle, jlong send_queue_handle, jlong receive_queue_handle,
       jint type, jint max_send, jint max_receive, jint max_inline) {
    const char *call = "rdma_create_qp";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    struct ibv_pd *domain = id == NULL ? NULL : handle_object(env, call, PD, domain_handle);
    struct ibv_cq *send_queue = domain == NULL ? NULL : handle_object(env, call, CQ, send_queue_handle);
    struct ibv_cq *receive_queue = send_queue == NULL ? NULL : handle_object(env, call, CQ, receive_queue_handle);
    struct ibv_qp_init_attr wanted;
    jlong handle;
    if (receive_queue == NULL || !checked_range(env, call, "the number of sends", max_send, 1, INT32_MAX) ||
        !checked_range(env, call, "the number of receives", max_receive, 0, INT32_MAX) ||
        !checked_range(env, call, "the size of inline data", max_inline, 0, INT32_MAX)) {
        return -1;
    }
    if (id->qp != NULL) {
        return fail_with(env, EBUSY, call, CM_ID, id, "it has a queue pair already");
    }
    memset(&wanted, 0, sizeof wanted); /* sq_sig_all stays 0: unsignalled requests are unsignalled */
    wanted.send_cq = send_queue;
    wanted.recv_cq = receive_queue;
    wanted.qp_type = (enum ibv_qp_type)type;
    wanted.cap.max_send_wr = (uint32_t)max_send;
    wanted.cap.max_recv_wr = (uint32_t)max_receive;
    wanted.cap.max_send_sge = MAX_SGE;
    wanted.cap.max_recv_sge = MAX_SGE;
    wanted.cap.max_inline_data = (uint32_t)max_inline;
    if (rdma_create_qp(id, domain, &wanted) != 0) {
        return fail_with(env, errno, call, CM_ID, id, "type %d, %d sends, %d receives, %d bytes inline", (int)type,
                         (int)max_send, (int)max_receive, (int)max_inline);
    }
    handle = handle_give(env, call, QP, id->qp);
    if (handle < 0) {
        rdma_destroy_qp(id);
    }
    return handle;
}

/* Destroys the queue pair of the id that it was created with. */
NATIVE(jint, destroyQP, jlong id_handle) {
    const char *call = "rdma_destroy_qp";
    struct rdma_cm_id *id = handle_object(env, call, CM_ID, id_handle);
    if (id == NULL) {
        return -1;
    }
    if (id->qp == NULL || !handle_take_back(QP, id->qp)) {
        return fail_with(env, EINVAL, call, CM_ID, id, "it has no queue pair");
    }
    rdma_destroy_qp(id);
    return 0;
}

NATIVE(jint, getQpNum, jlong pair_handle) {
    struct ibv_qp *pair = handle_object(env, "ibv_qp.qp_num", QP, pair_handle);
    return pair == NULL ? -1 : (jint)pair->qp_num;
}

/*
 * Not supported: DiSNI passes no attributes, and the connection manager controls the states of queue pairs.
 */
NATIVE(jint, modifyQP, jlong pair_handle, __attribute__((unused)) jlong attributes) {
    struct ibv_qp *pair = handle_object(env, "ibv_modify_qp", QP, pair_handle);
    if (pair != NULL) {
        fail_with(env, EOPNOTSUPP, "ibv_modify_qp", QP, pair, "the connection manager controls the state");
    }
    return -1;
}
