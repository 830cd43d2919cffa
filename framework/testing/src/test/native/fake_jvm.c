/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the JVM that the native methods call. */
#include "fake.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char pending[1024], taken[1024];

static jclass JNICALL find_class(__attribute__((unused)) JNIEnv *env, const char *name) {
    return strcmp(name, "java/io/IOException") == 0 ? (jclass)(uintptr_t)1 : NULL;
}

static jint JNICALL throw_new(__attribute__((unused)) JNIEnv *env, __attribute__((unused)) jclass exception,
                              const char *message) {
    snprintf(pending, sizeof pending, "%s", message);
    return 0;
}

static jboolean JNICALL exception_check(__attribute__((unused)) JNIEnv *env) {
    return pending[0] != '\0';
}

static void JNICALL delete_local_ref(__attribute__((unused)) JNIEnv *env, __attribute__((unused)) jobject object) {}

static const struct JNINativeInterface_ functions = {
    .FindClass = find_class,
    .ThrowNew = throw_new,
    .ExceptionCheck = exception_check,
    .DeleteLocalRef = delete_local_ref,
};

static const struct JNINativeInterface_ *table = &functions;

JNIEnv *fake_env = &table;

const char *take_exception(void) {
    memcpy(taken, pending, sizeof taken);
    pending[0] = '\0';
    return taken;
}
