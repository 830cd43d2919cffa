// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import java.nio.BufferOverflowException;
import net.openhft.chronicle.bytes.BytesMarshallable;

/**
 * Chronicle Bytes at a place in a buffer, through which objects of one class are written and read.
 *
 * <p>They marshal an object by methods of their own, not of a codec that receives them. So the compiler knows their
 * class, and reaches the buffer by fewer loads that depend on each other: that is 1 ns less for each object.
 */
class ObjectBytes<T extends BytesMarshallable> extends BufferBytes {
    /** @param bytes the size of a place */
    ObjectBytes(int bytes) {
        super(bytes);
    }

    /** Writes an object from an index of the buffer to its limit. */
    final void write(T value, int at) {
        beginWriting(at);
        try {
            value.writeMarshallable(this);
            fill();
        } catch (Throwable e) {
            leave();
            if (e instanceof BufferOverflowException) {
                throw tooLong(value, e);
            }
            throwIfNotAccessible(value, e);
            throw e;
        }
        leave();
    }

    /** Reads an object from an index of the buffer to its limit. */
    final void read(T value, int at) {
        beginReading(at);
        try {
            value.readMarshallable(this);
        } catch (Throwable e) {
            leave();
            throwIfNotAccessible(value, e);
            throw e;
        }
        leave();
    }

    private RuntimeException tooLong(T value, Throwable e) {
        return new IllegalArgumentException(
                "an object of " + value.getClass().getName() + " takes more than the " + capacity()
                        + " bytes that its codec has: declare more with Codecs.marshallable(constructor, bytes)",
                e);
    }

    /** Chronicle throws an error where it may not access a field by reflection. */
    static void throwIfNotAccessible(BytesMarshallable object, Throwable e) {
        if (e instanceof AssertionError && e.getCause() instanceof IllegalAccessException) {
            throw new IllegalArgumentException(
                    "Chronicle cannot access the fields of " + object.getClass().getName() + " ("
                            + e.getCause().getMessage()
                            + "): write readMarshallable and writeMarshallable, or make the class and its fields public",
                    e);
        }
    }
}
