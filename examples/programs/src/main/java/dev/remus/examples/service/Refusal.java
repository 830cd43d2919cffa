// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import java.io.Serial;

/** A request that ends with an error status and a sentence about the reason. */
final class Refusal extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Of a request that has not been carried out, and may be sent again, to this node or to another one. */
    static final int UNAVAILABLE = 503;

    /** Of a request that may have been carried out, or may be in a moment. */
    static final int UNFINISHED = 504;

    private final int status;

    Refusal(int status, String reason) {
        super(reason, null, false, false); // no stack: it is an answer
        this.status = status;
    }

    int status() {
        return status;
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
