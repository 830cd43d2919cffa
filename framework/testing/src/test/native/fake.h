/* Stands in for the JVM and for rdma-core, so that the natives can be tested where there is no RDMA device. */
#ifndef FAKE_H
#define FAKE_H

#include <infiniband/verbs.h>
#include <jni.h>
#include <rdma/rdma_cma.h>

/* ---- fake_jvm.c ---- */

extern JNIEnv *fake_env;

/* The message of the exception that is pending, "" if there is none; none is afterwards. */
const char *take_exception(void);

/* ---- fake_rdma.c ---- */

/* What the next function of rdma-core that can fail does: fail with this errno. 0: succeed. */
extern int fail_next;

/* The device on which ids are once an address has been resolved. */
extern struct ibv_context fake_device;

/* What rdma_connect or rdma_accept was last called with. */
extern struct rdma_conn_param last_connection;

/* What ibv_post_send was last called with, and how many times that was. */
extern struct ibv_send_wr *last_posted;
extern int times_posted;

/* The event that rdma_get_cm_event gives next; NULL: it answers EAGAIN. */
extern struct rdma_cm_event *next_event;

#endif
