/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the checks of the native methods, and their reports of failures of rdma-core. Prints each check that
 * fails.
 */
#include "fake.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

/* Declares and calls a native method of NativeDispatcher. */
#define DECLARE(type, name, ...) \
    type Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name(JNIEnv *, jobject __VA_OPT__(, ) __VA_ARGS__)
#define CALL(name, ...) \
    Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name(fake_env, NULL __VA_OPT__(, ) __VA_ARGS__)

DECLARE(jlong, createEventChannel);
DECLARE(jint, destroyEventChannel, jlong);
DECLARE(jint, getCmEvent, jlong, jlong, jlong, jint);
DECLARE(jlong, createId, jlong, jshort);
DECLARE(jint, destroyCmId, jlong);
DECLARE(jint, destroyEp, jlong);
DECLARE(void, bindAddr, jlong, jlong);
DECLARE(void, resolveAddr, jlong, jlong, jlong, jint);
DECLARE(void, resolveRoute, jlong, jint);
DECLARE(void, listen, jlong, jint);
DECLARE(void, connect, jlong, jint, jint, jlong, jbyte);
DECLARE(void, accept, jlong, jint, jint);
DECLARE(jint, disconnect, jlong);
DECLARE(jlong, getContext, jlong);
DECLARE(jlong, allocPd, jlong);
DECLARE(jint, deallocPd, jlong);
DECLARE(jlong, createCompChannel, jlong);
DECLARE(jint, destroyCompChannel, jlong);
DECLARE(jlong, createCQ, jlong, jlong, jint, jint);
DECLARE(jint, destroyCQ, jlong);
DECLARE(jlong, createQP, jlong, jlong, jlong, jlong, jint, jint, jint, jint);
DECLARE(jint, destroyQP, jlong);
DECLARE(jlong, regMr, jlong, jlong, jint, jint, jlong, jlong, jlong);
DECLARE(void, deregMr, jlong);
DECLARE(void, postSend, jlong, jlong);
DECLARE(void, postRecv, jlong, jlong);
DECLARE(jint, pollCQ, jlong, jint, jlong);
DECLARE(jint, reqNotifyCQ, jlong, jint);
DECLARE(jint, getCqEvent, jlong, jint);
DECLARE(jint, ackCqEvent, jlong, jint);
DECLARE(jint, getQpNum, jlong);
DECLARE(jint, modifyQP, jlong, jlong);

void Java_dev_remus_fabric_verbs_PathOptions_setTrafficClass(JNIEnv *, jclass, jlong, jint);
void Java_dev_remus_fabric_verbs_PathOptions_setAckTimeout(JNIEnv *, jclass, jlong, jint);
#define SET(name, ...) Java_dev_remus_fabric_verbs_PathOptions_set##name(fake_env, NULL, __VA_ARGS__)

static int failures;

static void check(int line, int holds, const char *what) {
    if (!holds) {
        printf("natives_test.c:%d: %s\n", line, what);
        failures++;
    }
}

#define CHECK(condition) check(__LINE__, condition, #condition)

/* The call must have thrown, with a message that contains the text. */
static void check_thrown(int line, const char *text) {
    const char *message = take_exception();
    if (strstr(message, text) == NULL || message[0] == '\0') {
        printf("natives_test.c:%d: expected an exception with \"%s\", got \"%s\"\n", line, text, message);
        failures++;
    }
}

#define REFUSED(call, text)         \
    do {                            \
        (void)(call);               \
        check_thrown(__LINE__, text); \
    } while (0)

/* The call must fail with the text if rdma-core fails with the errno. */
#define FAILING(error, call, text)  \
    do {                            \
        fail_next = error;          \
        REFUSED(call, text);        \
        CHECK(fail_next == 0);      \
    } while (0)

#define WORKS(call)                          \
    do {                                     \
        (void)(call);                        \
        CHECK(take_exception()[0] == '\0');  \
    } while (0)

static jlong address_of(const void *object) {
    return (jlong)(uintptr_t)object;
}

static struct sockaddr_in some_address = {.sin_family = AF_INET};
static struct sockaddr_in6 some_ipv6_address = {.sin6_family = AF_INET6};
static struct ibv_wc completions[4];
static uint32_t keys[3];
static uint64_t words[8];

/* One object of each kind, connected. */
static jlong channel, id, context, domain, events, queue, pair, region;

static void open_all(void) {
    channel = CALL(createEventChannel);
    id = CALL(createId, channel, RDMA_PS_TCP);
    CALL(bindAddr, id, address_of(&some_address));
    context = CALL(getContext, id);
    domain = CALL(allocPd, context);
    events = CALL(createCompChannel, context);
    queue = CALL(createCQ, context, events, 16, 0);
    pair = CALL(createQP, id, domain, queue, queue, IBV_QPT_RC, 16, 4, 64);
    region = CALL(regMr, domain, address_of(words), sizeof words, 15, address_of(&keys[0]), address_of(&keys[1]),
                  address_of(&keys[2]));
    CHECK(take_exception()[0] == '\0');
    CHECK(keys[0] == 11 && keys[1] == 12 && keys[2] == 13);
}

static void close_all(void) {
    WORKS(CALL(deregMr, region));
    WORKS(CALL(destroyQP, id));
    WORKS(CALL(destroyCQ, queue));
    WORKS(CALL(destroyCompChannel, events));
    WORKS(CALL(deallocPd, domain));
    WORKS(CALL(destroyCmId, id));
    WORKS(CALL(destroyEventChannel, channel));
}

static void a_handle_of_nothing_is_refused(void) {
    jlong wrong[] = {0, -1, 8, id + 8, domain};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        REFUSED(CALL(createId, wrong[i], RDMA_PS_TCP), "is not the handle of a event channel");
        REFUSED(CALL(destroyEventChannel, wrong[i]), "rdma_destroy_event_channel: ");
        REFUSED(CALL(getCmEvent, wrong[i], address_of(words), address_of(words + 1), 0), "rdma_get_cm_event: ");
        REFUSED(CALL(destroyCmId, wrong[i]), "rdma_destroy_id: ");
        REFUSED(CALL(destroyEp, wrong[i]), "rdma_destroy_ep: ");
        REFUSED(CALL(bindAddr, wrong[i], address_of(&some_address)), "rdma_bind_addr: ");
        REFUSED(CALL(resolveAddr, wrong[i], 0, address_of(&some_address), 1), "rdma_resolve_addr: ");
        REFUSED(CALL(resolveRoute, wrong[i], 1), "rdma_resolve_route: ");
        REFUSED(CALL(listen, wrong[i], 1), "rdma_listen: ");
        REFUSED(CALL(connect, wrong[i], 7, 7, 0, 0), "rdma_connect: ");
        REFUSED(CALL(accept, wrong[i], 7, 7), "rdma_accept: ");
        REFUSED(CALL(disconnect, wrong[i]), "rdma_disconnect: ");
        REFUSED(CALL(getContext, wrong[i]), "rdma_cm_id.verbs: ");
        REFUSED(CALL(allocPd, wrong[i]), "ibv_alloc_pd: ");
        REFUSED(CALL(createCompChannel, wrong[i]), "ibv_create_comp_channel: ");
        REFUSED(CALL(createCQ, wrong[i], 0, 1, 0), "ibv_create_cq: ");
        REFUSED(CALL(createQP, wrong[i], domain, queue, queue, IBV_QPT_RC, 1, 1, 0), "rdma_create_qp: ");
        REFUSED(CALL(createQP, id, domain, queue, wrong[i], IBV_QPT_RC, 1, 1, 0), "rdma_create_qp: ");
        REFUSED(CALL(destroyQP, wrong[i]), "rdma_destroy_qp: ");
        REFUSED(CALL(deregMr, wrong[i]), "ibv_dereg_mr: ");
        REFUSED(CALL(postSend, wrong[i], address_of(words)), "ibv_post_send: ");
        REFUSED(CALL(postRecv, wrong[i], address_of(words)), "ibv_post_recv: ");
        REFUSED(CALL(pollCQ, wrong[i], 1, address_of(completions)), "ibv_poll_cq: ");
        REFUSED(CALL(reqNotifyCQ, wrong[i], 0), "ibv_req_notify_cq: ");
        REFUSED(CALL(ackCqEvent, wrong[i], 1), "ibv_ack_cq_events: ");
        REFUSED(CALL(getCqEvent, wrong[i], 0), "ibv_get_cq_event: ");
        REFUSED(CALL(getQpNum, wrong[i]), "ibv_qp.qp_num: ");
    }
    REFUSED(CALL(deallocPd, queue), "ibv_dealloc_pd: ");
    REFUSED(CALL(destroyCQ, domain), "ibv_destroy_cq: ");
    REFUSED(CALL(destroyCompChannel, queue), "ibv_destroy_comp_channel: ");
    REFUSED(CALL(createCQ, context, domain, 1, 0), "not the handle of a completion channel");
}

static void a_destroyed_object_has_no_handle_any_more(void) {
    jlong gone = CALL(allocPd, context);
    WORKS(CALL(deallocPd, gone));
    REFUSED(CALL(deallocPd, gone), "or it has been destroyed");
}

static void many_objects_have_handles_at_once(void) {
    enum { MANY = 5000 };
    static jlong many[MANY];
    for (int i = 0; i < MANY; i++) {
        many[i] = CALL(allocPd, context);
    }
    for (int i = 0; i < MANY; i += 2) {
        WORKS(CALL(deallocPd, many[i]));
    }
    for (int i = 1; i < MANY; i += 2) {
        WORKS(CALL(deallocPd, many[i]));
    }
}

static void an_errno_becomes_an_exception_that_names_call_and_handle(void) {
    char handle[32];
    snprintf(handle, sizeof handle, "%p", (void *)(uintptr_t)domain);
    FAILING(ENOMEM, CALL(regMr, domain, address_of(words), 64, 15, address_of(keys), address_of(keys), address_of(keys)),
            "see ulimit -l): Cannot allocate memory (errno 12)");
    FAILING(EBUSY, CALL(deallocPd, domain), handle);
    FAILING(EBUSY, CALL(destroyCQ, queue), "ibv_destroy_cq on completion queue 0x");
    FAILING(EBUSY, CALL(destroyCompChannel, events), "destroy its completion queues first: Device or resource busy");
    FAILING(EINVAL, CALL(deregMr, region), "ibv_dereg_mr on memory region 0x");
    FAILING(ENODEV, CALL(createEventChannel), "rdma_create_event_channel: is the kernel module rdma_ucm loaded?");
    FAILING(EADDRNOTAVAIL, CALL(bindAddr, id, address_of(&some_address)), "0.0.0.0:0: Cannot assign requested address");
    FAILING(EADDRNOTAVAIL, CALL(bindAddr, id, address_of(&some_ipv6_address)), "[::]:0: Cannot assign requested address");
    FAILING(ENODEV, CALL(resolveAddr, id, 0, address_of(&some_address), 1), "rdma_resolve_addr on connection id 0x");
    FAILING(EIO, CALL(resolveRoute, id, 1), "rdma_resolve_route on connection id 0x");
    FAILING(EADDRINUSE, CALL(listen, id, 1), "rdma_listen on connection id 0x");
    FAILING(EIO, CALL(disconnect, id), "rdma_disconnect on connection id 0x");
    FAILING(ENOMEM, CALL(createId, channel, RDMA_PS_TCP), "rdma_create_id on event channel 0x");
    FAILING(EBUSY, CALL(getCmEvent, channel, address_of(words), address_of(words + 1), 0), "rdma_get_cm_event on event");
    FAILING(EIO, CALL(connect, id, 7, 7, 0, 0), "ibv_query_device on device context 0x");
    FAILING(ENOMEM, CALL(allocPd, context), "ibv_alloc_pd on device context 0x");
    FAILING(ENOMEM, CALL(createCQ, context, 0, 16, 0), "16 entries");
    FAILING(ENOMEM, CALL(createCompChannel, context), "ibv_create_comp_channel on device context 0x");
    FAILING(EIO, CALL(pollCQ, queue, 1, address_of(completions)), "ibv_poll_cq on completion queue 0x");
    FAILING(EIO, CALL(reqNotifyCQ, queue, 0), "ibv_req_notify_cq on completion queue 0x");
    REFUSED(CALL(modifyQP, pair, 0), "ibv_modify_qp on queue pair 0x");
    CHECK(CALL(getQpNum, pair) == 17); /* all are unchanged */
    WORKS(CALL(getCqEvent, events, 0));
}

static void to_disconnect_what_is_not_connected_is_no_error(void) {
    fail_next = EINVAL;
    WORKS(CALL(disconnect, id));
}

static void numbers_out_of_range_are_refused(void) {
    struct sockaddr_in other = {.sin_family = AF_UNIX};
    REFUSED(CALL(createCQ, context, 0, 0, 0), "the number of entries is 0");
    REFUSED(CALL(createCQ, context, 0, 1, 1), "the completion vector is 1; it must be from 0 to 0");
    REFUSED(CALL(pollCQ, queue, 0, address_of(completions)), "the number of completions is 0");
    REFUSED(CALL(connect, id, 8, 7, 0, 0), "the retry count is 8; it must be from 0 to 7");
    REFUSED(CALL(accept, id, 7, -1), "the receiver-not-ready retry count is -1");
    REFUSED(CALL(connect, id, 7, 7, address_of(words), 57), "the length of the private data is 57");
    REFUSED(CALL(connect, id, 7, 7, 0, 1), "the address of the private data is 0x0");
    REFUSED(CALL(resolveRoute, id, -1), "the time-out in ms is -1");
    REFUSED(CALL(listen, id, -1), "the backlog is -1");
    REFUSED(CALL(bindAddr, id, address_of(&other)), "only IPv4 (2) and IPv6 (10) are supported");
    REFUSED(CALL(createQP, id, domain, queue, queue, IBV_QPT_RC, 0, 1, 0), "the number of sends is 0");
    REFUSED(CALL(createQP, id, domain, queue, queue, IBV_QPT_RC, 1, 1, 0), "it has a queue pair already");
    REFUSED(CALL(regMr, domain, address_of(words), 0, 15, address_of(keys), address_of(keys), address_of(keys)),
            "0 bytes");
    REFUSED(CALL(pollCQ, queue, 1, 0), "the address of the completions is 0x0");
    REFUSED(CALL(pollCQ, queue, 1, address_of(completions) + 4), "be a multiple of 8");
    REFUSED(CALL(getCmEvent, channel, 0, address_of(words), 0), "the address of the listening id is 0x0");
    REFUSED(CALL(postSend, pair, 0), "the address of the first work request is 0x0");
}

static void objects_that_others_need_are_not_destroyed(void) {
    REFUSED(CALL(destroyEventChannel, channel), "destroy its connection ids first");
    REFUSED(CALL(destroyCmId, id), "destroy its queue pair first");
}

static void depths_are_the_devices_but_16_at_most(void) {
    WORKS(CALL(connect, id, 6, 5, address_of(words), 8));
    CHECK(last_connection.initiator_depth == 4 && last_connection.responder_resources == 16);
    CHECK(last_connection.retry_count == 6 && last_connection.rnr_retry_count == 5);
    CHECK(last_connection.private_data_len == 8);
    WORKS(CALL(accept, id, 7, 7));
    CHECK(last_connection.initiator_depth == 4 && last_connection.private_data_len == 0);
}

static void options_of_a_connection_are_set_and_checked(void) {
    WORKS(SET(AckTimeout, id, 14));
    CHECK(last_option == RDMA_OPTION_ID_ACK_TIMEOUT && last_option_value == 14);
    WORKS(SET(TrafficClass, id, 255));
    CHECK(last_option == RDMA_OPTION_ID_TOS && last_option_value == 255);
    REFUSED(SET(AckTimeout, id, 32), "the ACK time-out");
    REFUSED(SET(TrafficClass, id, -1), "the traffic class");
    REFUSED(SET(TrafficClass, 0, 1), "the address of the connection id is 0x0");
    FAILING(ENOSYS, SET(AckTimeout, id, 14), "the ACK time-out 14: Function not implemented");
}

static void an_event_brings_a_new_id_that_has_a_handle(void) {
    struct rdma_cm_id *peer;
    struct rdma_cm_event event = {.event = RDMA_CM_EVENT_CONNECT_REQUEST};
    rdma_create_id((struct rdma_event_channel *)(uintptr_t)channel, &peer, NULL, RDMA_PS_TCP);
    event.id = peer;
    event.listen_id = (struct rdma_cm_id *)(uintptr_t)id;
    next_event = &event;
    CHECK(CALL(getCmEvent, channel, address_of(words), address_of(words + 1), 0) == RDMA_CM_EVENT_CONNECT_REQUEST);
    CHECK(words[0] == (uint64_t)id && words[1] == (uint64_t)(uintptr_t)peer);
    CHECK(CALL(getContext, address_of(peer)) == -1); /* bound to no device, which is not an error */
    WORKS(CALL(destroyCmId, address_of(peer)));
    CHECK(CALL(getCmEvent, channel, address_of(words), address_of(words + 1), 0) == -1);
    CHECK(take_exception()[0] == '\0');
}

/* A chain of three: WRITE, CAS, READ. */
static struct ibv_sge buffers[3];
static struct ibv_send_wr chain[3];

static void make_chain(void) {
    enum ibv_wr_opcode opcodes[] = {IBV_WR_RDMA_WRITE, IBV_WR_ATOMIC_CMP_AND_SWP, IBV_WR_RDMA_READ};
    memset(chain, 0, sizeof chain);
    for (int i = 0; i < 3; i++) {
        buffers[i] = (struct ibv_sge){.addr = (uintptr_t)&words[i], .length = 8, .lkey = 11};
        chain[i].opcode = opcodes[i];
        chain[i].sg_list = &buffers[i];
        chain[i].num_sge = 1;
        chain[i].next = i < 2 ? &chain[i + 1] : NULL;
    }
}

static void a_chain_goes_out_with_one_call(void) {
    int before = times_posted;
    make_chain();
    chain[0].num_sge = 0; /* a WRITE of no bytes */
    WORKS(CALL(postSend, pair, address_of(chain)));
    CHECK(times_posted == before + 1 && last_posted == chain);
    CHECK(CALL(pollCQ, queue, 4, address_of(completions)) == 1 && completions[0].wr_id == 77);
}

static void a_faulty_chain_is_not_posted_at_all(void) {
    int before = times_posted;
    make_chain();
    chain[1].wr.atomic.remote_addr = 4;
    REFUSED(CALL(postSend, pair, address_of(chain)), "nothing was sent: request 1 of the chain: the remote address");
    make_chain();
    buffers[1].length = 16;
    REFUSED(CALL(postSend, pair, address_of(chain)), "the result of an atomic needs one buffer of 8 bytes");
    make_chain();
    buffers[1].addr += 4;
    REFUSED(CALL(postSend, pair, address_of(chain)), "the buffer of an atomic is not a multiple of 8");
    make_chain();
    chain[2].num_sge = 2;
    REFUSED(CALL(postSend, pair, address_of(chain)), "request 2 of the chain: it has more than one buffer");
    make_chain();
    chain[2].sg_list = NULL;
    REFUSED(CALL(postSend, pair, address_of(chain)), "request 2 of the chain: the address of its buffer's description");
    make_chain();
    chain[0].opcode = IBV_WR_BIND_MW;
    REFUSED(CALL(postSend, pair, address_of(chain)), "request 0 of the chain: its opcode is not");
    make_chain();
    chain[2].next = &chain[0];
    REFUSED(CALL(postSend, pair, address_of(chain)), "the chain has no end");
    CHECK(times_posted == before);
}

static void a_request_that_the_device_refuses_is_named(void) {
    make_chain();
    FAILING(ENOMEM, CALL(postSend, pair, address_of(chain)),
            "request 1 of the chain was refused, those before it were sent: Cannot allocate memory");
}

static void receives_are_checked_as_well(void) {
    struct ibv_recv_wr receive = {.sg_list = NULL, .num_sge = 1};
    REFUSED(CALL(postRecv, pair, address_of(&receive)), "nothing was posted: request 0");
    receive.num_sge = 0;
    WORKS(CALL(postRecv, pair, address_of(&receive)));
    FAILING(ENOMEM, CALL(postRecv, pair, address_of(&receive)), "ibv_post_recv on queue pair 0x");
}

int main(void) {
    open_all();
    a_handle_of_nothing_is_refused();
    a_destroyed_object_has_no_handle_any_more();
    many_objects_have_handles_at_once();
    an_errno_becomes_an_exception_that_names_call_and_handle();
    to_disconnect_what_is_not_connected_is_no_error();
    numbers_out_of_range_are_refused();
    objects_that_others_need_are_not_destroyed();
    depths_are_the_devices_but_16_at_most();
    options_of_a_connection_are_set_and_checked();
    an_event_brings_a_new_id_that_has_a_handle();
    a_chain_goes_out_with_one_call();
    a_faulty_chain_is_not_posted_at_all();
    a_request_that_the_device_refuses_is_named();
    receives_are_checked_as_well();
    close_all();
    printf("%d checks failed\n", failures);
    return failures == 0 ? 0 : 1;
}
