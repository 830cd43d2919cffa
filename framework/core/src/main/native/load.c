/*
 * How System.loadLibrary("disni") finds this library although it lies on no path.
 *
 * The JVM first asks the process itself for a function JNI_OnLoad_<name>: that is how a library says that it is
 * already there (JNI specification, "Statically linked libraries"). The JVM opens libraries such that their
 * functions are invisible to others; so, when System.load has opened this one, it makes itself visible.
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <jni.h>

static jint become_visible(void) {
    Dl_info self;
    if (dladdr((void *)become_visible, &self) != 0 && self.dli_fname != NULL) {
        /* Kept open for good: the natives are in use until the process ends. */
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
