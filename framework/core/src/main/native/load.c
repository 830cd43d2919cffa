/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets System.loadLibrary("disni") find this library, which is on no library path.
 *
 * The JVM first searches the process for a function JNI_OnLoad_<name>, by which a library shows that it is
 * linked already (JNI specification, "Statically linked libraries"). The JVM opens libraries with hidden
 * symbols. So this library, once System.load has opened it, makes its symbols visible.
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <jni.h>

static jint become_visible(void) {
    Dl_info self;
    if (dladdr((void *)become_visible, &self) != 0 && self.dli_fname != NULL) {
        /* Never closed: the native methods are used until the process ends. */
        dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    }
    return JNI_VERSION_1_8;
}

JNIEXPORT jint JNICALL JNI_OnLoad(__attribute__((unused)) JavaVM *vm, __attribute__((unused)) void *reserved) {
    return become_visible();
}

JNIEXPORT jint JNICALL JNI_OnLoad_disni(__attribute__((unused)) JavaVM *vm, __attribute__((unused)) void *reserved) {
    return become_visible();
}
