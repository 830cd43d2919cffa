/* SPDX-License-Identifier: Apache-2.0 */
/* The live handles: a hash table per kind, whose readers take no lock. */
#include "disni.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { BUCKETS = 256 };

/*
 * A place in a chain. Places are never freed, only reused for objects of the same bucket, so a reader can
 * walk a chain while others change it. There are as many places as objects that ever lived at once.
 */
struct place {
    _Atomic(const void *) object; /* NULL: free */
    struct place *next;
};

static _Atomic(struct place *) table[KINDS][BUCKETS];
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

/* Objects come from malloc: their lowest bits are equal, and Fibonacci hashing spreads the others. */
static unsigned bucket_of(const void *object) {
    return (unsigned)(((uint64_t)(uintptr_t)object >> 3) * 0x9E3779B97F4A7C15u >> 56) % BUCKETS;
}

static struct place *place_of(enum kind kind, const void *object) {
    struct place *place = atomic_load_explicit(&table[kind][bucket_of(object)], memory_order_acquire);
    while (place != NULL && atomic_load_explicit(&place->object, memory_order_acquire) != object) {
        place = place->next;
    }
    return place;
}

static struct place *free_place(enum kind kind, const void *object) {
    _Atomic(struct place *) *first = &table[kind][bucket_of(object)];
    struct place *place = atomic_load(first);
    while (place != NULL && atomic_load(&place->object) != NULL) {
        place = place->next;
    }
    if (place == NULL && (place = calloc(1, sizeof *place)) != NULL) {
        place->next = atomic_load(first);
        atomic_store_explicit(first, place, memory_order_release);
    }
    return place;
}

jlong handle_give(JNIEnv *env, const char *call, enum kind kind, void *object) {
    struct place *place;
    pthread_mutex_lock(&writers);
    place = place_of(kind, object);
    if (place == NULL && (place = free_place(kind, object)) != NULL) {
        atomic_store_explicit(&place->object, object, memory_order_release);
    }
    pthread_mutex_unlock(&writers);
    if (place == NULL) {
        return fail_with(env, ENOMEM, call, kind, object, "registering the handle");
    }
    return (jlong)(uintptr_t)object;
}

bool handle_take_back(enum kind kind, const void *object) {
    struct place *place;
    pthread_mutex_lock(&writers);
    place = place_of(kind, object);
    if (place != NULL) {
        atomic_store_explicit(&place->object, NULL, memory_order_release);
    }
    pthread_mutex_unlock(&writers);
    return place != NULL;
}

void *handle_object(JNIEnv *env, const char *call, enum kind kind, jlong handle) {
    void *object = (void *)(uintptr_t)handle;
    if (object == NULL || place_of(kind, object) == NULL) {
        refuse(env, call, "%p is not the handle of a %s, or it has been destroyed", object, kind_name(kind));
        return NULL;
    }
    return object;
}

bool handle_exists(enum kind kind, bool (*fits)(const void *object, const void *argument), const void *argument) {
    bool found = false;
    pthread_mutex_lock(&writers);
    for (int bucket = 0; bucket < BUCKETS && !found; bucket++) {
        for (struct place *p = atomic_load(&table[kind][bucket]); p != NULL && !found; p = p->next) {
            const void *object = atomic_load(&p->object);
            found = object != NULL && fits(object, argument);
        }
    }
    pthread_mutex_unlock(&writers);
    return found;
}
