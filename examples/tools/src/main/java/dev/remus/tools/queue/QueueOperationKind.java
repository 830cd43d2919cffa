// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

/** The kind of an operation on a queue. */
public enum QueueOperationKind {
    /** An attempt to enqueue, which returns FULL if there is no room. */
    ENQUEUE,
    /** An attempt to dequeue, which returns EMPTY if there is no item. */
    DEQUEUE
}
