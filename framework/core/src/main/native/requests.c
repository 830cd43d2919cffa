/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path: posting work requests and polling completions. It allocates nothing and takes no locks of
 * its own.
 */
#include "disni.h"

#include <errno.h>

/* Atomics work only on words of 8 bytes. ibv_post_send(3) */
enum { WORD = 8 };

/* More than any send queue holds; a longer chain is a ring. */
enum { MAX_CHAIN = 1 << 20 };

static bool is_aligned(uint64_t address, unsigned alignment) {
    return address % alignment == 0;
}

/*
 * The error in a request, or NULL. The device would find it too, but only after sending the requests before
 * it.
 */
static const char *fault_of(const struct ibv_send_wr *request) {
    if (request->num_sge < 0 || request->num_sge > MAX_SGE) {
        return "it has more than one buffer";
    }
    if (request->num_sge > 0 && (request->sg_list == NULL || !is_aligned((uintptr_t)request->sg_list, WORD))) {
        return "the address of its buffer's description is 0 or not a multiple of 8";
    }
    switch (request->opcode) {
        case IBV_WR_RDMA_WRITE:
        case IBV_WR_RDMA_WRITE_WITH_IMM:
        case IBV_WR_RDMA_READ:
        case IBV_WR_SEND:
        case IBV_WR_SEND_WITH_IMM:
            return NULL;
        case IBV_WR_ATOMIC_CMP_AND_SWP:
        case IBV_WR_ATOMIC_FETCH_AND_ADD:
            if (request->num_sge != 1 || request->sg_list->length != WORD) {
                return "the result of an atomic needs one buffer of 8 bytes";
            }
            if (!is_aligned(request->sg_list->addr, WORD)) {
                return "the buffer of an atomic is not a multiple of 8";
            }
            if (!is_aligned(request->wr.atomic.remote_addr, WORD)) {
                return "the remote address of an atomic is not a multiple of 8";
            }
            return NULL;
        default:
            return "its opcode is not WRITE, READ, SEND, CAS or FAA";
    }
}

/* Whether all requests of a chain may be posted; otherwise an IOException is pending and none is sent. */
static bool check_chain(JNIEnv *env, const struct ibv_qp *pair, const struct ibv_send_wr *first) {
    const char *fault = NULL;
    int index = 0;
    for (const struct ibv_send_wr *request = first; request != NULL; request = request->next, index++) {
        fault = !is_aligned((uintptr_t)request, WORD) ? "its address is not a multiple of 8"
                : index == MAX_CHAIN                  ? "the chain has no end"
                                                      : fault_of(request);
        if (fault != NULL) {
            fail_with(env, EINVAL, "ibv_post_send", QP, pair, "nothing was sent: request %d of the chain: %s", index,
                      fault);
            return false;
        }
    }
    return true;
}

static int index_of(const struct ibv_send_wr *first, const struct ibv_send_wr *wanted) {
    int index = 0;
    while (first != NULL && first != wanted) {
        first = first->next;
        index++;
    }
    return index;
}

NATIVE(void, postSend, jlong pair_handle, jlong list) {
    const char *call = "ibv_post_send";
    struct ibv_qp *pair = handle_object(env, call, QP, pair_handle);
    struct ibv_send_wr *first = pair == NULL ? NULL : checked_address(env, call, "first work request", list, WORD);
    struct ibv_send_wr *refused = NULL;
    int error;
    if (first == NULL || !check_chain(env, pair, first)) {
        return;
    }
    error = ibv_post_send(pair, first, &refused);
    if (error != 0) {
        fail_with(env, error < 0 ? errno : error, call, QP, pair,
                  "request %d of the chain was refused, those before it were sent", index_of(first, refused));
    }
}

NATIVE(void, postRecv, jlong pair_handle, jlong list) {
    const char *call = "ibv_post_recv";
    struct ibv_qp *pair = handle_object(env, call, QP, pair_handle);
    struct ibv_recv_wr *first = pair == NULL ? NULL : checked_address(env, call, "first work request", list, WORD);
    struct ibv_recv_wr *refused = NULL;
    int error, index = 0;
    for (struct ibv_recv_wr *request = first; request != NULL; request = request->next, index++) {
        if (!is_aligned((uintptr_t)request, WORD) || index == MAX_CHAIN || request->num_sge < 0 ||
            request->num_sge > MAX_SGE || (request->num_sge > 0 && request->sg_list == NULL)) {
            fail_with(env, EINVAL, call, QP, pair,
                      "nothing was posted: request %d of the list is misaligned, endless or has no single buffer",
                      index);
            return;
        }
    }
    if (first == NULL) {
        return;
    }
    error = ibv_post_recv(pair, first, &refused);
    if (error != 0) {
        fail(env, error < 0 ? errno : error, call, QP, pair);
    }
}

NATIVE(jint, pollCQ, jlong queue_handle, jint count, jlong completions_address) {
    const char *call = "ibv_poll_cq";
    struct ibv_cq *queue = handle_object(env, call, CQ, queue_handle);
    struct ibv_wc *completions =
        queue == NULL ? NULL : checked_address(env, call, "completions", completions_address, WORD);
    int found;
    if (completions == NULL || !checked_range(env, call, "the number of completions", count, 1, INT32_MAX)) {
        return -1;
    }
    found = ibv_poll_cq(queue, count, completions);
    if (found < 0) {
        fail(env, errno, call, CQ, queue);
    }
    return found;
}

/* ---- waiting for completions without polling ---- */

NATIVE(jint, reqNotifyCQ, jlong queue_handle, jint solicited_only) {
    const char *call = "ibv_req_notify_cq";
    struct ibv_cq *queue = handle_object(env, call, CQ, queue_handle);
    int error;
    if (queue == NULL) {
        return -1;
    }
    error = ibv_req_notify_cq(queue, solicited_only);
    if (error != 0) {
        return fail(env, error, call, CQ, queue);
    }
    return 0;
}

/* Returns 0 if there was an event, or -1 after the time-out; a negative time-out never ends. */
NATIVE(jint, getCqEvent, jlong channel_handle, jint timeout_ms) {
    const char *call = "ibv_get_cq_event";
    struct ibv_comp_channel *channel = handle_object(env, call, COMP_CHANNEL, channel_handle);
    struct ibv_cq *queue;
    void *context;
    int ready;
    if (channel == NULL) {
        return -1;
    }
    ready = wait_readable(channel->fd, deadline_after(timeout_ms));
    if (ready == 0) {
        return -1;
    }
    if (ready < 0 || ibv_get_cq_event(channel, &queue, &context) != 0) {
        if (errno != EAGAIN) { /* another thread took it */
            fail(env, errno, call, COMP_CHANNEL, channel);
        }
        return -1;
    }
    return 0;
}

NATIVE(jint, ackCqEvent, jlong queue_handle, jint count) {
    const char *call = "ibv_ack_cq_events";
    struct ibv_cq *queue = handle_object(env, call, CQ, queue_handle);
    if (queue == NULL || !checked_range(env, call, "the number of events", count, 0, INT32_MAX)) {
        return -1;
    }
    ibv_ack_cq_events(queue, (unsigned)count);
    return 0;
}
