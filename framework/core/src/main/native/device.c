/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capabilities and events of a device: the native methods of dev.remus.fabric.verbs.Device. ibv_query_device(3),
 * ibv_get_async_event(3)
 */
#include "disni.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#define DEVICE(type, name, ...)                                             \
    JNIEXPORT type JNICALL Java_dev_remus_fabric_verbs_Device_##name(       \
        JNIEnv *env, __attribute__((unused)) jclass self __VA_OPT__(, ) __VA_ARGS__)

/*
 * The context of a handle, or NULL with an IOException pending. This library may be used with another
 * libdisni.so, so it has no table of handles; but contexts live as long as the process.
 */
static struct ibv_context *context_of(JNIEnv *env, const char *call, jlong handle) {
    return checked_address(env, call, "device context", handle, 8);
}

static bool query(JNIEnv *env, jlong handle, struct ibv_device_attr *attributes) {
    const char *call = "ibv_query_device";
    struct ibv_context *context = context_of(env, call, handle);
    int error = context == NULL ? 0 : ibv_query_device(context, attributes);
    if (error != 0) {
        fail_with(env, error, call, CONTEXT, context, "%s", ibv_get_device_name(context->device));
    }
    return context != NULL && error == 0;
}

DEVICE(jstring, name, jlong handle) {
    struct ibv_context *context = context_of(env, "ibv_get_device_name", handle);
    return context == NULL ? NULL : (*env)->NewStringUTF(env, ibv_get_device_name(context->device));
}

DEVICE(jint, maxReadAtomic, jlong handle) {
    struct ibv_device_attr attributes;
    return query(env, handle, &attributes) ? attributes.max_qp_rd_atom : -1;
}

DEVICE(jint, maxInitiatorDepth, jlong handle) {
    struct ibv_device_attr attributes;
    return query(env, handle, &attributes) ? attributes.max_qp_init_rd_atom : -1;
}

DEVICE(jint, atomicCapability, jlong handle) {
    struct ibv_device_attr attributes;
    return query(env, handle, &attributes) ? (jint)attributes.atomic_cap : -1;
}

DEVICE(jint, maxCqe, jlong handle) {
    struct ibv_device_attr attributes;
    return query(env, handle, &attributes) ? attributes.max_cqe : -1;
}

DEVICE(jint, maxWorkRequests, jlong handle) {
    struct ibv_device_attr attributes;
    return query(env, handle, &attributes) ? attributes.max_qp_wr : -1;
}

DEVICE(jlong, maxRegistration, jlong handle) {
    struct ibv_device_attr attributes;
    if (!query(env, handle, &attributes)) {
        return -1;
    }
    return attributes.max_mr_size > INT64_MAX ? INT64_MAX : (jlong)attributes.max_mr_size;
}

/* Only one thread may call it for a device: another could take the event, and leave this one waiting for the next. */
DEVICE(jstring, awaitEvent, jlong handle, jint timeout_ms) {
    const char *call = "ibv_get_async_event";
    struct ibv_context *context = context_of(env, call, handle);
    struct pollfd readable = {.fd = context == NULL ? -1 : context->async_fd, .events = POLLIN};
    struct ibv_async_event event;
    const char *name;
    if (context == NULL || poll(&readable, 1, timeout_ms) <= 0) {
        return NULL;
    }
    if (ibv_get_async_event(context, &event) != 0) {
        fail_with(env, errno, call, CONTEXT, context, "%s", ibv_get_device_name(context->device));
        return NULL;
    }
    name = ibv_event_type_str(event.event_type);
    ibv_ack_async_event(&event);
    return (*env)->NewStringUTF(env, name);
}

/* Opens the device of a name; returns NULL with errno on failure. */
static struct ibv_context *open_by_name(const char *wanted) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = NULL;
    int error = devices == NULL ? errno : ENODEV;
    for (struct ibv_device **device = devices; device != NULL && *device != NULL && context == NULL; device++) {
        if (strcmp(ibv_get_device_name(*device), wanted) == 0) {
            context = ibv_open_device(*device);
            error = errno;
        }
    }
    if (devices != NULL) {
        ibv_free_device_list(devices);
    }
    errno = error;
    return context;
}

DEVICE(jint, atomicsOf, jstring name) {
    const char *call = "ibv_open_device";
    const char *wanted = name == NULL ? NULL : (*env)->GetStringUTFChars(env, name, NULL);
    struct ibv_context *context;
    struct ibv_device_attr attributes;
    jint capability = -1;
    if (wanted == NULL) {
        return refuse(env, call, "the name is null");
    }
    context = open_by_name(wanted);
    if (context == NULL) {
        fail_with(env, errno, call, CONTEXT, NULL, "%s", wanted);
    } else {
        if (query(env, (jlong)(uintptr_t)context, &attributes)) {
            capability = (jint)attributes.atomic_cap;
        }
        ibv_close_device(context);
    }
    (*env)->ReleaseStringUTFChars(env, name, wanted);
    return capability;
}
