package dev.remus.record;

/** The memory of one value, which the value is encoded into and decoded from. It is used by one thread at a time. */
abstract class ValuePlace<T> {
    /** Encodes a value, with zeros up to a whole word. If this throws, the value in the memory is undefined. */
    abstract void set(T value);

    /** Decodes the value. */
    abstract T get();
}
