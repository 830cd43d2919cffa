/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a connection that DiSNI lacks: the native methods of dev.remus.fabric.verbs.PathOptions. */
#include "disni.h"

#include <errno.h>

#define OPTION(name)                                                         \
    JNIEXPORT void JNICALL Java_dev_remus_fabric_verbs_PathOptions_##name(   \
        JNIEnv *env, __attribute__((unused)) jclass self, jlong id_handle, jint value)

/* This library may be used with another libdisni.so, so it has no table of handles. */
static void set(JNIEnv *env, const char *what, jlong id_handle, int option, jint value, int most) {
    const char *call = "rdma_set_option";
    struct rdma_cm_id *id = checked_address(env, call, "connection id", id_handle, 8);
    uint8_t byte = (uint8_t)value;
    if (id != NULL && checked_range(env, call, what, value, 0, most) &&
        rdma_set_option(id, RDMA_OPTION_ID, option, &byte, sizeof byte) != 0) {
        fail_with(env, errno, call, CM_ID, id, "%s %d", what, (int)value);
    }
}

OPTION(setTrafficClass) {
    set(env, "the traffic class", id_handle, RDMA_OPTION_ID_TOS, value, 255);
}

OPTION(setAckTimeout) {
    set(env, "the ACK time-out", id_handle, RDMA_OPTION_ID_ACK_TIMEOUT, value, 31);
}
