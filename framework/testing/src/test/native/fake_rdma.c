/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of librdmacm and libibverbs that the native methods call. Objects come from malloc, so that
 * AddressSanitizer finds leaks and uses after destruction.
 */
#include "fake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#undef ibv_reg_mr

int fail_next, times_posted;
struct rdma_conn_param last_connection;
struct ibv_send_wr *last_posted;
struct rdma_cm_event *next_event;

static int failed(void) {
    errno = fail_next;
    fail_next = 0;
    return errno;
}

/* Functions of rdma_cma.h: return 0, or -1 with errno. */
static int answer(void) {
    return failed() ? -1 : 0;
}

/* Return a new object, or NULL with errno. */
static void *make(size_t bytes) {
    return failed() ? NULL : calloc(1, bytes);
}

/* Functions of verbs.h that destroy an object: return 0 or errno. */
static int end(void *object) {
    int error = failed();
    if (error == 0) {
        free(object);
    }
    return error;
}

static int post_send(__attribute__((unused)) struct ibv_qp *pair, struct ibv_send_wr *first,
                     struct ibv_send_wr **refused) {
    int error = failed();
    last_posted = first;
    times_posted++;
    *refused = error == 0 ? NULL : first->next;
    return error;
}

static int post_recv(__attribute__((unused)) struct ibv_qp *pair, __attribute__((unused)) struct ibv_recv_wr *first,
                     __attribute__((unused)) struct ibv_recv_wr **refused) {
    return failed();
}

static int poll_cq(__attribute__((unused)) struct ibv_cq *queue, __attribute__((unused)) int count,
                   struct ibv_wc *completions) {
    completions[0].wr_id = 77;
    return failed() ? -1 : 1;
}

static int notify(__attribute__((unused)) struct ibv_cq *queue, __attribute__((unused)) int solicited) {
    return failed();
}

struct ibv_context fake_device = {
    .ops = {.post_send = post_send, .post_recv = post_recv, .poll_cq = poll_cq, .req_notify_cq = notify},
    .cmd_fd = 5,
    .num_comp_vectors = 1,
};

int ibv_query_device(__attribute__((unused)) struct ibv_context *context, struct ibv_device_attr *attributes) {
    memset(attributes, 0, sizeof *attributes);
    attributes->max_qp_rd_atom = 128;
    attributes->max_qp_init_rd_atom = 4;
    return failed();
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
    struct ibv_pd *domain = make(sizeof *domain);
    if (domain != NULL) {
        domain->context = context;
        domain->handle = 9;
    }
    return domain;
}

int ibv_dealloc_pd(struct ibv_pd *domain) {
    return end(domain);
}

struct ibv_mr *ibv_reg_mr(__attribute__((unused)) struct ibv_pd *domain, __attribute__((unused)) void *address,
                          size_t length, __attribute__((unused)) int access) {
    struct ibv_mr *region = make(sizeof *region);
    if (region != NULL) {
        region->length = length;
        region->lkey = 11;
        region->rkey = 12;
        region->handle = 13;
    }
    return region;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *domain, void *address, size_t length,
                                __attribute__((unused)) uint64_t virtual_address, unsigned access) {
    return ibv_reg_mr(domain, address, length, (int)access);
}

int ibv_dereg_mr(struct ibv_mr *region) {
    return end(region);
}

struct ibv_comp_channel *ibv_create_comp_channel(__attribute__((unused)) struct ibv_context *context) {
    struct ibv_comp_channel *channel = make(sizeof *channel);
    if (channel != NULL) {
        channel->fd = eventfd(1, 0);
    }
    return channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
    int fd = channel->fd, error = end(channel);
    if (error == 0) {
        close(fd);
    }
    return error;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, __attribute__((unused)) void *cq_context,
                             struct ibv_comp_channel *channel, __attribute__((unused)) int vector) {
    struct ibv_cq *queue = make(sizeof *queue);
    if (queue != NULL) {
        queue->context = context;
        queue->cqe = entries;
        queue->channel = channel;
    }
    return queue;
}

int ibv_destroy_cq(struct ibv_cq *queue) {
    return end(queue);
}

int ibv_get_cq_event(__attribute__((unused)) struct ibv_comp_channel *channel,
                     __attribute__((unused)) struct ibv_cq **queue, __attribute__((unused)) void **context) {
    return answer();
}

void ibv_ack_cq_events(__attribute__((unused)) struct ibv_cq *queue, __attribute__((unused)) unsigned count) {}

struct rdma_event_channel *rdma_create_event_channel(void) {
    struct rdma_event_channel *channel = make(sizeof *channel);
    if (channel != NULL) {
        channel->fd = eventfd(0, 0); /* never readable */
    }
    return channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel) {
    close(channel->fd);
    free(channel);
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, __attribute__((unused)) void *context,
                   __attribute__((unused)) enum rdma_port_space space) {
    *id = make(sizeof **id);
    if (*id == NULL) {
        return -1;
    }
    (*id)->channel = channel;
    return 0;
}

int rdma_destroy_id(struct rdma_cm_id *id) {
    return end(id) == 0 ? 0 : -1;
}

void rdma_destroy_ep(struct rdma_cm_id *id) {
    free(id->qp);
    free(id);
}

int rdma_bind_addr(struct rdma_cm_id *id, __attribute__((unused)) struct sockaddr *address) {
    id->verbs = &fake_device;
    return answer();
}

int rdma_resolve_addr(struct rdma_cm_id *id, __attribute__((unused)) struct sockaddr *source,
                      __attribute__((unused)) struct sockaddr *destination, __attribute__((unused)) int timeout) {
    id->verbs = &fake_device;
    return answer();
}

int rdma_resolve_route(__attribute__((unused)) struct rdma_cm_id *id, __attribute__((unused)) int timeout) {
    return answer();
}

int rdma_listen(__attribute__((unused)) struct rdma_cm_id *id, __attribute__((unused)) int backlog) {
    return answer();
}

int rdma_connect(__attribute__((unused)) struct rdma_cm_id *id, struct rdma_conn_param *connection) {
    last_connection = *connection;
    return answer();
}

int last_option, last_option_value;

int rdma_set_option(__attribute__((unused)) struct rdma_cm_id *id, int level, int option, void *value, size_t length) {
    int error = answer();
    if (error == 0 && level == RDMA_OPTION_ID && length == 1) {
        last_option = option;
        last_option_value = *(uint8_t *)value;
    }
    return error;
}

int rdma_accept(__attribute__((unused)) struct rdma_cm_id *id, struct rdma_conn_param *connection) {
    last_connection = *connection;
    return answer();
}

int rdma_disconnect(__attribute__((unused)) struct rdma_cm_id *id) {
    return answer();
}

int rdma_get_cm_event(__attribute__((unused)) struct rdma_event_channel *channel, struct rdma_cm_event **event) {
    if (next_event == NULL && fail_next == 0) {
        fail_next = EAGAIN;
    }
    *event = next_event;
    return answer();
}

int rdma_ack_cm_event(__attribute__((unused)) struct rdma_cm_event *event) {
    next_event = NULL;
    return 0;
}

int rdma_create_qp(struct rdma_cm_id *id, struct ibv_pd *domain, struct ibv_qp_init_attr *wanted) {
    struct ibv_qp *pair = make(sizeof *pair);
    if (pair == NULL) {
        return -1;
    }
    pair->context = domain->context;
    pair->qp_num = 17;
    pair->qp_type = wanted->qp_type;
    id->qp = pair;
    return 0;
}

void rdma_destroy_qp(struct rdma_cm_id *id) {
    free(id->qp);
    id->qp = NULL;
}
