// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/** How a work request ended. Names follow the verbs manual's {@code ibv_wc_status} where one exists. */
public enum CompletionStatus {
    /** The request was executed. A WRITE is acknowledged, but perhaps not placed yet. */
    SUCCESS,
    /** The Memory Node refused the request: its key is wrong, or it reaches outside the segment. Breaks the lane. */
    REMOTE_ACCESS_ERROR,
    /**
     * The request was given up, because the lane is broken. It was not executed if it was posted after the lane broke;
     * otherwise it is unknown whether it was executed.
     */
    FLUSHED,
    /** The Memory Node is gone. It is unknown whether the request was executed. Breaks the lane. */
    PEER_LOST,
    /** The Memory Node did not answer in time. It is unknown whether the request was executed. Breaks the lane. */
    RETRY_EXCEEDED,
    /** This node's own device failed. It is unknown whether the request was executed. Breaks the lane. */
    DEVICE_ERROR
}
