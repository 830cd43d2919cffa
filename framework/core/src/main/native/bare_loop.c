/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations in a loop without Java: the native method of dev.remus.fabric.verbs.BareLoop. ibv_post_send(3),
 * ibv_poll_cq(3)
 */
#include "disni.h"

#include <time.h>

static int64_t now_nanos(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Posts the list and waits for its completion; returns the time taken, or -1 with an IOException pending. */
static int64_t once(JNIEnv *env, struct ibv_qp *pair, struct ibv_cq *queue, struct ibv_send_wr *list) {
    enum { PATIENCE_SECONDS = 10, POLLS_PER_LOOK = 100000 };
    struct ibv_send_wr *refused;
    struct ibv_wc completion;
    int64_t start = now_nanos();
    int error = ibv_post_send(pair, list, &refused);
    int found = 0;
    if (error != 0) {
        return fail_with(env, error, "ibv_post_send", QP, pair, "a measurement");
    }
    for (int polls = 1; found == 0; polls++) {
        found = ibv_poll_cq(queue, 1, &completion);
        if (polls % POLLS_PER_LOOK == 0 && now_nanos() - start > PATIENCE_SECONDS * INT64_C(1000000000)) {
            return refuse(env, "ibv_poll_cq", "no completion within %d s", PATIENCE_SECONDS);
        }
    }
    if (found < 0 || completion.status != IBV_WC_SUCCESS) {
        return refuse(env, "ibv_poll_cq", "%s", found < 0 ? "failed" : ibv_wc_status_str(completion.status));
    }
    return now_nanos() - start;
}

JNIEXPORT void JNICALL Java_dev_remus_fabric_verbs_BareLoop_run(
    JNIEnv *env, __attribute__((unused)) jclass self, jlong pair, jlong queue, jlong list, jlong nanos, jint n) {
    const char *call = "BareLoop.run";
    struct ibv_qp *qp = checked_address(env, call, "queue pair", pair, 8);
    struct ibv_cq *cq = qp == NULL ? NULL : checked_address(env, call, "completion queue", queue, 8);
    struct ibv_send_wr *wrs = cq == NULL ? NULL : checked_address(env, call, "list of requests", list, 8);
    int64_t *times = wrs == NULL ? NULL : checked_address(env, call, "array of times", nanos, 8);
    if (times == NULL) {
        return;
    }
    for (int i = 0; i < n; i++) {
        times[i] = once(env, qp, cq, wrs);
        if (times[i] < 0) {
            return;
        }
    }
}
