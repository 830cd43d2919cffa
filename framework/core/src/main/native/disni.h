/*
 * The native half of DiSNI 2.1 (com.ibm.disni:disni), whose published jar holds only Java, on rdma-core.
 *
 * Handles. Java keeps every object of rdma-core as a long that the native side chose; here it is the object's
 * address. All handles that Java has been given, and not yet given back, are known by their kind (handles.c),
 * and each call looks its handles up first: a handle that was never given out, is of another kind or has been
 * destroyed is an IOException and no crash. What remains the caller's duty: not to destroy an object while
 * another thread is using it.
 *
 *     handle           what it is the address of       given by                       given back by
 *     EVENT_CHANNEL    struct rdma_event_channel       createEventChannel             destroyEventChannel
 *     CM_ID            struct rdma_cm_id               createId, getCmEvent           destroyCmId, destroyEp
 *     CONTEXT          struct ibv_context              getContext                     never: it is rdma-core's
 *     PD               struct ibv_pd                   allocPd                        deallocPd
 *     COMP_CHANNEL     struct ibv_comp_channel         createCompChannel              destroyCompChannel
 *     CQ               struct ibv_cq                   createCQ                       destroyCQ
 *     QP               struct ibv_qp                   createQP                       destroyQP (of its CM_ID)
 *     MR               struct ibv_mr                   regMr                          deregMr
 *
 * Errors. Every failure is a java.io.IOException that names the call, the handle and errno; what such a call
 * returns beside it has no meaning. Also the calls that DiSNI does not declare to throw do so: its public
 * methods above them all declare IOException.
 *
 * Memory. Java passes addresses of its direct buffers. They are checked for null and alignment; that they are
 * long enough is DiSNI's promise.
 */
#ifndef DISNI_H
#define DISNI_H

#include <infiniband/verbs.h>
#include <jni.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

/* A native method of DiSNI's NativeDispatcher, without the underscore with which its Java name begins. */
#define NATIVE(type, name, ...)                                                                       \
    JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name(                   \
        __attribute__((unused)) JNIEnv *env, __attribute__((unused)) jobject self __VA_OPT__(, ) __VA_ARGS__)

/* The version of the native half that DiSNI 2.1 insists on. */
enum { DISNI_VERSION = 32 };

/* One buffer for each work request: the fabric contract knows no others. */
enum { MAX_SGE = 1 };

/* READs and atomics that a queue pair has under way at most, in either direction, if the device can do so many. */
enum { MAX_READ_ATOMIC = 16 };

enum kind { EVENT_CHANNEL, CM_ID, CONTEXT, PD, COMP_CHANNEL, CQ, QP, MR, KINDS };

/* ---- handles.c ---- */

/* Makes an object known, so that its handle is accepted; returns the handle, or throws ENOMEM. */
jlong handle_give(JNIEnv *env, const char *call, enum kind kind, void *object);

/* Forgets an object: its handle is refused from now on. Of two threads that try, only one is told true. */
bool handle_take_back(enum kind kind, const void *object);

/* The object of a handle, or NULL with an IOException pending. Takes no lock. */
void *handle_object(JNIEnv *env, const char *call, enum kind kind, jlong handle);

/* Whether an object of the kind, among those that Java has, fits. */
bool handle_exists(enum kind kind, bool (*fits)(const void *object, const void *argument), const void *argument);

/* ---- errors.c ---- */

/* What users call a kind. */
const char *kind_name(enum kind kind);

/*
 * The ways to fail. Each leaves an IOException pending, unless there is one already, and returns -1 for its caller to
 * return.
 */

/* Throws "call on kind 0x7f..: what errno means". The object may be NULL: then it is not mentioned. */
jint fail(JNIEnv *env, int error, const char *call, enum kind kind, const void *object);

/* Throws "call on kind 0x7f..: text: what errno means". The text is that of printf. */
jint fail_with(JNIEnv *env, int error, const char *call, enum kind kind, const void *object, const char *text, ...)
    __attribute__((format(printf, 6, 7)));

/* Throws "call: text", where errno says nothing about it. */
jint refuse(JNIEnv *env, const char *call, const char *text, ...) __attribute__((format(printf, 3, 4)));

/* The address as a pointer, or NULL with an IOException pending if it is null or not a multiple of the alignment. */
void *checked_address(JNIEnv *env, const char *call, const char *what, jlong address, uintptr_t alignment);

/* Whether low <= value <= high; otherwise an IOException is pending. */
bool checked_range(JNIEnv *env, const char *call, const char *what, long value, long low, long high);

/* ---- waiting.c ---- */

/* Makes a file descriptor answer EAGAIN instead of blocking; false with errno on failure. */
bool make_nonblocking(int fd);

/* When a time-out that begins now is over; a negative time-out never is. */
int64_t deadline_after(int timeout_ms);

/* Waits until a descriptor can be read: 1; until the deadline: 0; or -1 with errno. Signals do not end it. */
int wait_readable(int fd, int64_t deadline);

#endif
