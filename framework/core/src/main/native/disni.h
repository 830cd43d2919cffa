/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native half of DiSNI 2.1 (com.ibm.disni:disni) on rdma-core. The published jar of DiSNI holds only Java.
 *
 * Handles. Java keeps each object of rdma-core as a long chosen by the native side; here it is the object's
 * address. A table (handles.c) records the live handles of each kind, and each call looks up its handles first: an
 * unknown or destroyed handle, or one of another kind, causes an IOException rather than a crash. The caller must
 * not destroy an object while another thread uses it.
 *
 *     handle           address of                      created by                     destroyed by
 *     EVENT_CHANNEL    struct rdma_event_channel       createEventChannel             destroyEventChannel
 *     CM_ID            struct rdma_cm_id               createId, getCmEvent           destroyCmId, destroyEp
 *     CONTEXT          struct ibv_context              getContext                     never: it belongs to rdma-core
 *     PD               struct ibv_pd                   allocPd                        deallocPd
 *     COMP_CHANNEL     struct ibv_comp_channel         createCompChannel              destroyCompChannel
 *     CQ               struct ibv_cq                   createCQ                       destroyCQ
 *     QP               struct ibv_qp                   createQP                       destroyQP (of its CM_ID)
 *     MR               struct ibv_mr                   regMr                          deregMr
 *
 * Errors. Every failure is a java.io.IOException that names the call, the handle and errno; the value returned with
 * it is meaningless. Calls that DiSNI does not declare to throw also throw it: all its public methods declare
 * IOException.
 *
 * Memory. Java passes addresses of its direct buffers. They are checked for null and alignment; DiSNI
 * guarantees that they are long enough.
 */
#ifndef DISNI_H
#define DISNI_H

#include <infiniband/verbs.h>
#include <jni.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

/* A native method of DiSNI's NativeDispatcher, without the leading underscore of its Java name. */
#define NATIVE(type, name, ...)                                                                       \
    JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name(                   \
        __attribute__((unused)) JNIEnv *env, __attribute__((unused)) jobject self __VA_OPT__(, ) __VA_ARGS__)

/* The version of the native half that DiSNI 2.1 requires. */
enum { DISNI_VERSION = 32 };

/* One buffer per work request: the fabric contract allows no more. */
enum { MAX_SGE = 1 };

/*
 * The most READs and atomics of a queue pair in flight, in either direction, if the device supports as many.
 */
enum { MAX_READ_ATOMIC = 16 };

enum kind { EVENT_CHANNEL, CM_ID, CONTEXT, PD, COMP_CHANNEL, CQ, QP, MR, KINDS };

/* ---- handles.c ---- */

/* Registers an object, so that its handle is accepted; returns the handle, or throws ENOMEM. */
jlong handle_give(JNIEnv *env, const char *call, enum kind kind, void *object);

/* Unregisters an object, whose handle is refused from now on. If two threads try, only one gets true. */
bool handle_take_back(enum kind kind, const void *object);

/* The object of a handle, or NULL with an IOException pending. Takes no lock. */
void *handle_object(JNIEnv *env, const char *call, enum kind kind, jlong handle);

/* Whether any registered object of the kind fits. */
bool handle_exists(enum kind kind, bool (*fits)(const void *object, const void *argument), const void *argument);

/* ---- errors.c ---- */

/* The name of a kind for users. */
const char *kind_name(enum kind kind);

/*
 * Functions that fail: each leaves an IOException pending, unless one is pending already, and returns -1 for
 * its caller to return.
 */

/* Throws "call on kind 0x7f..: text of errno". The object is omitted if it is NULL. */
jint fail(JNIEnv *env, int error, const char *call, enum kind kind, const void *object);

/* Throws "call on kind 0x7f..: text: text of errno". The text is formatted like printf. */
jint fail_with(JNIEnv *env, int error, const char *call, enum kind kind, const void *object, const char *text, ...)
    __attribute__((format(printf, 6, 7)));

/* Throws "call: text", for a failure without errno. */
jint refuse(JNIEnv *env, const char *call, const char *text, ...) __attribute__((format(printf, 3, 4)));

/* Returns the address as a pointer, or NULL with an IOException pending if it is 0 or misaligned. */
void *checked_address(JNIEnv *env, const char *call, const char *what, jlong address, uintptr_t alignment);

/* Whether low <= value <= high; otherwise an IOException is pending. */
bool checked_range(JNIEnv *env, const char *call, const char *what, long value, long low, long high);

/* ---- waiting.c ---- */

/* Makes a file descriptor answer EAGAIN instead of blocking; false with errno on failure. */
bool make_nonblocking(int fd);

/* The end of a time-out that starts now; a negative time-out never ends. */
int64_t deadline_after(int timeout_ms);

/*
 * Waits for a readable descriptor. Returns 1 if it is readable, 0 at the deadline, or -1 with errno. Signals
 * do not end the wait.
 */
int wait_readable(int fd, int64_t deadline);

#endif
