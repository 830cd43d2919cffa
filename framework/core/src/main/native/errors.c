/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of arguments, and conversion of failures into Java exceptions. */
#define _GNU_SOURCE /* strerror_r that returns a string */
#include "disni.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 512, DETAILS_SIZE = 256 };

static const char *const names[KINDS] = {
    [EVENT_CHANNEL] = "event channel",
    [CM_ID] = "connection id",
    [CONTEXT] = "device context",
    [PD] = "protection domain",
    [COMP_CHANNEL] = "completion channel",
    [CQ] = "completion queue",
    [QP] = "queue pair",
    [MR] = "memory region",
};

const char *kind_name(enum kind kind) {
    return names[kind];
}

static void throw_io(JNIEnv *env, const char *message) {
    jclass exception;
    if ((*env)->ExceptionCheck(env)) {
        return; /* the first failure is the one to report */
    }
    exception = (*env)->FindClass(env, "java/io/IOException");
    if (exception != NULL) {
        (*env)->ThrowNew(env, exception, message);
        (*env)->DeleteLocalRef(env, exception);
    }
}

/* Throws "call on kind 0x7f..: details: text of errno", without missing parts: object, details, errno. */
static jint throw_parts(JNIEnv *env, int error, const char *call, enum kind kind, const void *object,
                        const char *details) {
    char message[MESSAGE_SIZE], subject[64] = "", reason[96] = "", buffer[64];
    if (object != NULL) {
        snprintf(subject, sizeof subject, " on %s %p", kind_name(kind), object);
    }
    if (error != 0) {
        snprintf(reason, sizeof reason, ": %s (errno %d)", strerror_r(error, buffer, sizeof buffer), error);
    }
    snprintf(message, sizeof message, "%s%s%s%s%s", call, subject, details[0] == '\0' ? "" : ": ", details, reason);
    throw_io(env, message);
    return -1;
}

jint fail(JNIEnv *env, int error, const char *call, enum kind kind, const void *object) {
    return throw_parts(env, error, call, kind, object, "");
}

jint fail_with(JNIEnv *env, int error, const char *call, enum kind kind, const void *object, const char *text, ...) {
    char details[DETAILS_SIZE];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(details, sizeof details, text, arguments);
    va_end(arguments);
    return throw_parts(env, error, call, kind, object, details);
}

jint refuse(JNIEnv *env, const char *call, const char *text, ...) {
    char details[DETAILS_SIZE];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(details, sizeof details, text, arguments);
    va_end(arguments);
    return throw_parts(env, 0, call, KINDS, NULL, details);
}

void *checked_address(JNIEnv *env, const char *call, const char *what, jlong address, uintptr_t alignment) {
    uintptr_t pointer = (uintptr_t)address;
    if (pointer == 0 || pointer % alignment != 0) {
        refuse(env, call, "the address of the %s is 0x%llx; it must not be 0 and be a multiple of %u", what,
               (unsigned long long)pointer, (unsigned)alignment);
        return NULL;
    }
    return (void *)pointer;
}

bool checked_range(JNIEnv *env, const char *call, const char *what, long value, long low, long high) {
    if (value < low || value > high) {
        refuse(env, call, "%s is %ld; it must be from %ld to %ld", what, value, low, high);
        return false;
    }
    return true;
}
