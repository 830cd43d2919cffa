// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends requests to a node. */
final class ServiceClient {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String url;

    ServiceClient(String url) {
        this.url = url;
    }

    HttpResponse<byte[]> send(String method, String path, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .timeout(Duration.ofSeconds(60))
                .build();
        return CLIENT.send(request, BodyHandlers.ofByteArray());
    }

    int put(String key, String value) throws IOException, InterruptedException {
        return send("PUT", "/keys/" + key, bytes(value)).statusCode();
    }

    HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return send("GET", path, new byte[0]);
    }

    int delete(String key) throws IOException, InterruptedException {
        return send("DELETE", "/keys/" + key, new byte[0]).statusCode();
    }

    /** The status and the contents, on one line. */
    String read(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = get(path);
        return response.statusCode() + " " + text(response).strip();
    }

    static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
