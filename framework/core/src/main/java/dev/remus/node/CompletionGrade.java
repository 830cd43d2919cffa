// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

/** The degree of completion that a waiter at a {@link CompletionBarrier} requires. */
public enum CompletionGrade {
    /** The local memory belongs to the caller again: a result has arrived, or a WRITE has been acknowledged. */
    LOCAL,
    /** In addition, a WRITE is placed: it is in the Memory Node's memory, visible on every lane. */
    REMOTE
}
