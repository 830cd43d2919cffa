// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service.load;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node of the service, as its clients see it. Any thread may use it. */
final class LoadTarget {
    private static final Duration TO_CONNECT = Duration.ofSeconds(5);
    private static final Duration FOR_HEALTH = Duration.ofSeconds(5);
    private static final Duration FOR_REQUEST = Duration.ofSeconds(60);
    private static final Pattern PROCESS = Pattern.compile("process (\\d+)");

    static { // shorter than the server's time for idle connections, so that none is closed while a request is sent
        if (System.getProperty("jdk.httpclient.keepalive.timeout") == null) {
            System.setProperty("jdk.httpclient.keepalive.timeout", "5");
        }
    }

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TO_CONNECT)
            .build();

    private final String url;
    private volatile boolean available;
    private volatile long process;
    private volatile long killed;

    /** How often the node was killed. */
    private final AtomicInteger kills = new AtomicInteger();

    LoadTarget(String url) {
        this.url = url;
    }

    String url() {
        return url;
    }

    HttpResponse<byte[]> send(String method, String key, String value) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/keys/" + key))
                .method(method, method.equals("PUT") ? BodyPublishers.ofString(value) : BodyPublishers.noBody())
                .timeout(FOR_REQUEST)
                .build();
        return CLIENT.send(request, BodyHandlers.ofByteArray());
    }

    /** Asks the node how it is, as a load balancer does. */
    void look() throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/health"))
                .timeout(FOR_HEALTH)
                .build();
        try {
            HttpResponse<String> health = CLIENT.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
            Matcher id = PROCESS.matcher(health.body());
            if (id.find()) {
                process = Long.parseLong(id.group(1));
            }
            available = health.statusCode() == 200;
        } catch (IOException e) {
            available = false;
        }
    }

    /** Whether requests are sent to it: its last answer about its health was 200, and it has refused none since. */
    boolean isAvailable() {
        return available;
    }

    /** It has refused a request. It gets no more of them before its health is 200. */
    void leave() {
        available = false;
    }

    /** The id of the process that serves, or served last. */
    long process() {
        return process;
    }

    /** Declares that the present process is killed now. */
    void beginKill() {
        killed = process;
        kills.incrementAndGet();
    }

    /** How often it was killed. */
    int kills() {
        return kills.get();
    }

    /** Whether a request was in flight when the node was killed, given the number of kills when it was sent. */
    boolean wasKilledSince(int killsBefore) {
        return kills.get() != killsBefore || killed != 0 && process == killed;
    }
}
