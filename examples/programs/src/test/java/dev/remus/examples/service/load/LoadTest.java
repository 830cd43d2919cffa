// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The judge, against a node that makes mistakes. */
@Tag("any-jdk")
@Timeout(120)
class LoadTest {
    /** What the node does with every 20th request. */
    private enum Flaw {
        NONE,
        FORGETS_A_WRITE,
        ANSWERS_503,
        ANSWERS_500,
        HANGS_UP
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();
    private final Map<String, byte[]> map = new ConcurrentHashMap<>();
    private HttpServer server;

    @AfterEach
    void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private int run(Flaw flaw) throws Exception {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(threads);
        server.createContext("/health", request -> answer(request, 200, "process 1".getBytes(StandardCharsets.UTF_8)));
        server.createContext("/keys/", request -> {
            boolean isFlawed = requests.incrementAndGet() % 20 == 0;
            serve(request, isFlawed ? flaw : Flaw.NONE);
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        return new Load(
                        new Load.Plan(4, 10, 30, 2, 0),
                        List.of(url),
                        7,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run();
    }

    private void serve(HttpExchange request, Flaw flaw) throws IOException {
        String key = request.getRequestURI().getPath();
        byte[] body = request.getRequestBody().readAllBytes();
        if (flaw == Flaw.HANGS_UP) {
            request.close();
        } else if (flaw == Flaw.ANSWERS_503 || flaw == Flaw.ANSWERS_500) {
            answer(request, flaw == Flaw.ANSWERS_503 ? 503 : 500, new byte[0]);
        } else if (request.getRequestMethod().equals("GET")) {
            byte[] value = map.get(key);
            answer(request, value == null ? 404 : 200, value == null ? new byte[0] : value);
        } else if (request.getRequestMethod().equals("PUT")) {
            byte[] before = flaw == Flaw.FORGETS_A_WRITE ? map.get(key) : map.put(key, body);
            answer(request, before == null ? 201 : 204, new byte[0]);
        } else {
            answer(request, map.remove(key) == null ? 404 : 204, new byte[0]);
        }
    }

    private static void answer(HttpExchange request, int status, byte[] body) throws IOException {
        try (request) {
            request.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                request.getResponseBody().write(body);
            }
        }
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theBooksOfARightNodeBalanceAndNoKeyIsLeft() throws Exception {
        assertThat(run(Flaw.NONE)).as(out() + err()).isZero();
        assertThat(out()).containsPattern("books: 40 keys, (\\d+) with a value, \\[\\1] found on the nodes; 0 wrong");
        assertThat(out()).endsWith(": balanced\n");
        assertThat(map).isEmpty();
    }

    @Test
    void aRefusedRequestIsSentAgainAndNoError() throws Exception {
        assertThat(run(Flaw.ANSWERS_503)).as(out() + err()).isZero();
        assertThat(out()).containsPattern("sent again +[1-9][0-9,]*: [1-9][0-9,]* answered with 503, 0 without");
    }

    @Test
    void aForgottenWriteIsAWrongAnswer() throws Exception {
        assertThat(run(Flaw.FORGETS_A_WRITE)).isEqualTo(1);
        assertThat(out()).containsPattern("; [1-9][0-9,]* wrong answers, 0 errors, .*: NOT balanced");
        assertThat(err()).contains("remus: wrong answer: ");
    }

    @Test
    void anErrorOfTheNodeIsAnError() throws Exception {
        assertThat(run(Flaw.ANSWERS_500)).isEqualTo(1);
        assertThat(out()).containsPattern("; 0 wrong answers, [1-9][0-9,]* errors, .*: NOT balanced");
    }

    @Test
    void aConnectionThatEndsIsAnErrorUnlessItsNodeWasKilled() throws Exception {
        assertThat(run(Flaw.HANGS_UP)).isEqualTo(1);
        assertThat(out()).containsPattern("; 0 wrong answers, [1-9][0-9,]* errors, 0 in flight at 0 kills");
    }
}
