/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the sizes and offsets with which DiSNI lays out requests.
 *
 *     struct ibv_send_wr, 128 bytes
 *     0        8        16       24       28       32       36       40
 *     +--------+--------+--------+--------+--------+--------+--------+-----------------------+ - - -
 *     | wr_id  | next   | sg_list| num_sge| opcode | flags  | imm    | union wr              |
 *     +--------+--------+--------+--------+--------+--------+--------+-----------------------+ - - -
 *     wr.rdma    remote_addr @40, rkey @48
 *     wr.atomic  remote_addr @40, compare_add @48, swap @56, rkey @64
 */
#include "disni.h"

#include <netinet/in.h>
#include <stddef.h>

/* Numbers used by DiSNI or by the fabric above it. */
_Static_assert(sizeof(struct ibv_send_wr) == 128, "a send work request");
_Static_assert(offsetof(struct ibv_send_wr, next) == 8, "next of a send work request");
_Static_assert(offsetof(struct ibv_send_wr, sg_list) == 16, "buffers of a send work request");
_Static_assert(offsetof(struct ibv_send_wr, num_sge) == 24, "number of buffers of a send work request");
_Static_assert(offsetof(struct ibv_send_wr, opcode) == 28, "opcode of a send work request");
_Static_assert(offsetof(struct ibv_send_wr, send_flags) == 32, "flags of a send work request");
_Static_assert(offsetof(struct ibv_send_wr, wr.rdma.remote_addr) == 40, "remote address of a READ or WRITE");
_Static_assert(offsetof(struct ibv_send_wr, wr.rdma.rkey) == 48, "remote key of a READ or WRITE");
_Static_assert(offsetof(struct ibv_send_wr, wr.atomic.remote_addr) == 40, "remote address of an atomic");
_Static_assert(offsetof(struct ibv_send_wr, wr.atomic.compare_add) == 48, "operand of an atomic");
_Static_assert(offsetof(struct ibv_send_wr, wr.atomic.swap) == 56, "second operand of an atomic");
_Static_assert(offsetof(struct ibv_send_wr, wr.atomic.rkey) == 64, "remote key of an atomic");
_Static_assert(sizeof(struct ibv_recv_wr) == 32, "a receive work request");
_Static_assert(sizeof(struct ibv_sge) == 16, "a local buffer");
_Static_assert(offsetof(struct ibv_sge, length) == 8, "length of a local buffer");
_Static_assert(offsetof(struct ibv_sge, lkey) == 12, "key of a local buffer");
_Static_assert(sizeof(struct ibv_wc) == 48, "a completion");
_Static_assert(offsetof(struct ibv_wc, status) == 8, "status of a completion");
_Static_assert(offsetof(struct ibv_wc, vendor_err) == 16, "vendor's error of a completion");
_Static_assert(offsetof(struct ibv_wc, qp_num) == 28, "queue pair of a completion");

NATIVE(jint, getVersion) {
    return DISNI_VERSION;
}

NATIVE(jint, getSockAddrInSize) {
    return sizeof(struct sockaddr_in);
}

NATIVE(jint, getIbvRecvWRSize) {
    return sizeof(struct ibv_recv_wr);
}

NATIVE(jint, getIbvSendWRSize) {
    return sizeof(struct ibv_send_wr);
}

NATIVE(jint, getIbvSgeSize) {
    return sizeof(struct ibv_sge);
}

NATIVE(jint, getIbvWCSize) {
    return sizeof(struct ibv_wc);
}

NATIVE(jint, getRemoteAddressOffset) {
    return offsetof(struct ibv_send_wr, wr.rdma.remote_addr);
}

NATIVE(jint, getRKeyOffset) {
    return offsetof(struct ibv_send_wr, wr.rdma.rkey);
}
