/* SPDX-License-Identifier: Apache-2.0 */
/* Fakes of the JVM and of rdma-core, so that the native methods can be tested without an RDMA device. */
#ifndef FAKE_H
#define FAKE_H

#include <infiniband/verbs.h>
#include <jni.h>
#include <rdma/rdma_cma.h>

/* ---- fake_jvm.c ---- */

extern JNIEnv *fake_env;

/* Clears the pending exception and returns its message; "" if there is none. */
const char *take_exception(void);

/* ---- fake_rdma.c ---- */

/* The errno with which the next function of rdma-core that can fail fails; 0: it succeeds. */
extern int fail_next;

/* The device of ids once an address has been resolved. */
extern struct ibv_context fake_device;

/* The argument of the last call of rdma_connect or rdma_accept. */
extern struct rdma_conn_param last_connection;

/* The name and the value of the last option that rdma_set_option has set. */
extern int last_option, last_option_value;

/* The argument of the last call of ibv_post_send, and the number of calls. */
extern struct ibv_send_wr *last_posted;
extern int times_posted;

/* The next event of rdma_get_cm_event; NULL: it fails with EAGAIN. */
extern struct rdma_cm_event *next_event;

#endif
