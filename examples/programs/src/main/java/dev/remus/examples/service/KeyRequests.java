// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The requests {@code GET}, {@code PUT} and {@code DELETE} for {@code /keys/KEY}: what each of them does. */
final class KeyRequests {
    /** What all paths of keys begin with. */
    static final String PATH = "/keys/";

    private static final char REPLACEMENT = '\ufffd';

    private final Limits limits;

    KeyRequests(Limits limits) {
        this.limits = limits;
    }

    /**
     * Carries out a request.
     *
     * @throws Refusal if the request is wrong, or cannot be carried out
     */
    Answer answer(HttpExchange request, ThreadPool threads) throws IOException {
        String method = request.getRequestMethod();
        String key = key(request);
        switch (method) {
            case "GET":
                return threads.call((map, ct) -> Optional.ofNullable(map.get(key, ct)))
                        .map(value -> new Answer(200, value, type(value)))
                        .orElseThrow(KeyRequests::missing);
            case "PUT":
                byte[] value = value(request);
                boolean isNew = threads.call((map, ct) -> map.put(key, value, ct) == null);
                return Answer.empty(isNew ? 201 : 204);
            case "DELETE":
                boolean wasThere = threads.call((map, ct) -> map.remove(key, ct) != null);
                if (!wasThere) {
                    throw missing();
                }
                return Answer.empty(204);
            default:
                request.getResponseHeaders().set("Allow", "GET, PUT, DELETE");
                throw new Refusal(405, method + " is not possible here; GET, PUT and DELETE are");
        }
    }

    private static Refusal missing() {
        return new Refusal(404, "there is no such key");
    }

    private String key(HttpExchange request) {
        String path = request.getRequestURI().getPath();
        String key = path.substring(PATH.length());
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (key.isEmpty()) {
            throw new Refusal(400, "the key is missing: " + PATH + "KEY");
        } else if (key.indexOf(REPLACEMENT) >= 0) {
            throw new Refusal(400, "the key is not UTF-8");
        } else if (bytes > limits.keyBytes()) {
            throw new Refusal(414, "the key has " + bytes + " bytes; at most " + limits.keyBytes() + " are possible");
        }
        return key;
    }

    private byte[] value(HttpExchange request) throws IOException {
        byte[] value = request.getRequestBody().readNBytes(limits.bodyBytes() + 1);
        if (value.length > limits.bodyBytes()) {
            throw new Refusal(413, "the value has more than " + limits.bodyBytes() + " bytes");
        }
        return value;
    }

    /** Values are bytes; those that are text are sent as such. */
    private static String type(byte[] value) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
            return Answer.TEXT;
        } catch (CharacterCodingException e) {
            return "application/octet-stream";
        }
    }
}
