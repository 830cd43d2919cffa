// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP front of a node, on the loopback address.
 *
 * <pre>
 *   GET, PUT, DELETE /keys/KEY   {@link KeyRequests}
 *   GET /health                  200 while the node serves, else 503; a line with the reason
 *   GET /metrics                 {@link Meters}
 * </pre>
 *
 * <p>Each request has a thread of the front, which reads the body before a Compute Thread is needed. A slow client
 * therefore holds up no memory, and after ten seconds it loses its connection.
 *
 * <p>There are at most {@value #MOST_CONNECTIONS} connections, or four for each thread if that is more. Further ones
 * are closed at once. Each has at most one request, so those that wait for a thread of the front have a limit too.
 */
final class Front implements AutoCloseable {
    private static final String ADDRESS = "127.0.0.1";
    private static final int THREADS_FOR_OTHERS = 8;
    private static final long POLL_MILLIS = 2;

    /** The most connections, unless the threads are so many that they can use more. */
    private static final int MOST_CONNECTIONS = 1024;

    private static final int CONNECTIONS_PER_THREAD = 4;
    private static final Set<String> METHODS = Set.of("GET", "PUT", "DELETE");

    static { // read by the JDK's server when it is loaded; a user's own values stay
        setIfAbsent("sun.net.httpserver.nodelay", "true"); // else small answers wait for acknowledgements
        setIfAbsent("sun.net.httpserver.maxReqTime", "10");
        setIfAbsent("sun.net.httpserver.maxRspTime", "60");
    }

    private final HttpServer server;
    private final ExecutorService executor;
    private final KeyRequests keys;
    private final Meters meters;
    private final Supplier<Health> health;
    private final String who;
    private final AtomicInteger running = new AtomicInteger();

    /** The threads that serve; null before the node has joined and after it has left. */
    private volatile @Nullable ThreadPool threads;

    private static void setIfAbsent(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /**
     * Listens at once, for the sake of {@code /health}.
     *
     * @param port 0 for a free one
     * @param computeThreads how many requests are served at once
     * @param health the state of the node
     * @param who names the node in answers of {@code /health}
     * @throws IOException if the port is in use
     */
    Front(int port, int computeThreads, Limits limits, Meters meters, Supplier<Health> health, String who)
            throws IOException {
        this.keys = new KeyRequests(limits);
        this.meters = meters;
        this.health = health;
        this.who = who;
        int allThreads = computeThreads + limits.waiting() + THREADS_FOR_OTHERS;
        int connections = Math.max(MOST_CONNECTIONS, CONNECTIONS_PER_THREAD * allThreads);
        setIfAbsent("jdk.httpserver.maxConnections", Integer.toString(connections)); // for the first front of a process
        this.server = HttpServer.create(new InetSocketAddress(ADDRESS, port), 0);
        this.executor = Executors.newFixedThreadPool(allThreads, runnable -> {
            Thread thread = new Thread(runnable, "http");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(executor);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Where it listens. */
    String url() {
        return "http://" + ADDRESS + ":" + server.getAddress().getPort();
    }

    /** Sets the threads that serve from now on. */
    void serveWith(ThreadPool pool) {
        threads = pool;
    }

    private void handle(HttpExchange request) throws IOException {
        long begin = System.nanoTime();
        running.incrementAndGet();
        try (request) {
            boolean isKey = request.getRequestURI().getPath().startsWith(KeyRequests.PATH);
            Answer answer = answer(request, isKey);
            if (isKey) {
                String method = request.getRequestMethod();
                meters.count(METHODS.contains(method) ? method : "other", answer.status(), System.nanoTime() - begin);
            }
            send(request, answer);
        } finally {
            running.decrementAndGet();
        }
    }

    private Answer answer(HttpExchange request, boolean isKey) throws IOException {
        try {
            return isKey ? keys.answer(request, threads()) : other(request);
        } catch (Refusal e) {
            return Answer.line(e.status(), e.reason());
        }
    }

    private ThreadPool threads() {
        ThreadPool pool = threads;
        Health now = health.get();
        if (pool == null || !now.acceptsRequests()) {
            throw new Refusal(Refusal.UNAVAILABLE, now.reason());
        }
        return pool;
    }

    private Answer other(HttpExchange request) {
        String path = request.getRequestURI().getPath();
        if (!path.equals("/health") && !path.equals("/metrics")) {
            throw new Refusal(404, "there are " + KeyRequests.PATH + "KEY, /health and /metrics");
        } else if (!request.getRequestMethod().equals("GET")) {
            request.getResponseHeaders().set("Allow", "GET");
            throw new Refusal(405, "only GET is possible here");
        }
        Health now = health.get();
        return path.equals("/metrics")
                ? meters.answer(threads())
                : Answer.line(now.isServing() ? 200 : Refusal.UNAVAILABLE, now.reason() + ": " + who);
    }

    private void send(HttpExchange request, Answer answer) throws IOException {
        request.getResponseHeaders().set("Content-Type", answer.type());
        if (answer.status() == Refusal.UNAVAILABLE) {
            request.getResponseHeaders().set("Retry-After", "1");
        }
        if (!health.get().isServing()) {
            request.getResponseHeaders().set("Connection", "close"); // so that callers go elsewhere
        }
        byte[] body = request.getRequestMethod().equals("HEAD") ? new byte[0] : answer.body(); // HEAD gets none
        request.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            try (OutputStream out = request.getResponseBody()) {
                out.write(body);
            }
        }
    }

    /** Waits until no request runs; returns false if some still do when the time is over. */
    boolean awaitIdle(Duration time) throws InterruptedException {
        long deadline = System.nanoTime() + time.toNanos();
        while (running.get() > 0) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** Closes the port and all connections. */
    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
