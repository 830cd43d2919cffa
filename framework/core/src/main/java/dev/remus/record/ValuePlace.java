// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

/** The memory of one value, which the value is encoded into and decoded from. It is used by one thread at a time. */
interface ValuePlace<T> {
    /** Encodes a value, with zeros up to a whole word. If this throws, the value in the memory is undefined. */
    void set(T value);

    /** Decodes the value. */
    T get();
}
