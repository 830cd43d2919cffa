// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import java.nio.charset.StandardCharsets;

/**
 * The answer to a request.
 *
 * @param status its HTTP status
 * @param body its contents, which may be empty
 * @param type the media type of the contents
 */
@SuppressWarnings("ArrayRecordComponent") // it is sent once, and never compared
record Answer(int status, byte[] body, String type) {
    /** The media type of text. */
    static final String TEXT = "text/plain; charset=utf-8";

    /** An answer without contents. */
    static Answer empty(int status) {
        return new Answer(status, new byte[0], TEXT);
    }

    /** A line of text. */
    static Answer line(int status, String text) {
        return new Answer(status, (text + "\n").getBytes(StandardCharsets.UTF_8), TEXT);
    }
}
