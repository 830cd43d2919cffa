// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service.load;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of the service with keys of its own, so that it knows what each of them must hold. It sends one request at a
 * time, each to any node that is available.
 *
 * <p>A request that a node has refused was not carried out, and is sent to another one. After one that was in flight
 * when its node was killed, the key has its old or its new value; the client reads which, and goes on from there.
 */
final class Client implements Runnable {
    private static final String ABSENT = "";
    private static final long TO_FIND_A_NODE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int READS = 50;
    private static final int WRITES = 90;
    private static final int PERCENT = 100;

    private final String prefix;
    private final List<LoadTarget> targets;
    private final LoadTally tally;
    private final int valueBytes;
    private final SplittableRandom random;
    private final BooleanSupplier isOver;

    /** The value that each key must hold. */
    private final List<String> values = new ArrayList<>();

    private long written;

    /**
     * @param prefix what all its keys begin with
     * @param isOver ends it
     */
    Client(
            String prefix,
            int keys,
            int valueBytes,
            List<LoadTarget> targets,
            LoadTally tally,
            SplittableRandom random,
            BooleanSupplier isOver) {
        this.prefix = prefix;
        this.valueBytes = valueBytes;
        this.targets = targets;
        this.tally = tally;
        this.random = random;
        this.isOver = isOver;
        for (int i = 0; i < keys; i++) {
            values.add(ABSENT);
        }
    }

    @Override
    public void run() {
        try {
            while (!isOver.getAsBoolean()) {
                int key = random.nextInt(values.size());
                int kind = random.nextInt(PERCENT);
                if (kind < READS) {
                    read(key);
                } else {
                    change(key, kind < WRITES ? newValue(key) : ABSENT);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            tally.error("a client ended: " + e);
        }
    }

    private String name(int key) {
        return prefix + "-" + key;
    }

    /** A value that no key had before. */
    private String newValue(int key) {
        written++;
        StringBuilder value = new StringBuilder(name(key) + ":" + written + ":");
        while (value.length() < valueBytes) {
            value.append('.');
        }
        return value.toString();
    }

    private void read(int key) throws InterruptedException {
        HttpResponse<byte[]> answer = request("GET", key, ABSENT, null);
        if (answer != null) {
            judgeRead(key, answer, List.of(values.get(key)));
        }
    }

    private void judgeRead(int key, HttpResponse<byte[]> answer, List<String> possible) {
        String found = answer.statusCode() == 404 ? ABSENT : new String(answer.body(), StandardCharsets.UTF_8);
        if (!possible.contains(found)) {
            tally.wrong(answer.uri() + " has " + shown(found) + ", not " + shown(possible.get(possible.size() - 1)));
        }
        values.set(key, found);
    }

    private static String shown(String value) {
        return value.equals(ABSENT) ? "no value" : "'" + value.replaceAll("\\.+$", "") + "'";
    }

    private void change(int key, String to) throws InterruptedException {
        String before = values.get(key);
        HttpResponse<byte[]> answer = request(to.equals(ABSENT) ? "DELETE" : "PUT", key, to, null);
        if (answer == null) { // it may have been carried out, or not
            HttpResponse<byte[]> now = answerOf(() -> request("GET", key, ABSENT, null));
            if (now != null) {
                judgeRead(key, now, List.of(before, to));
            }
            return;
        }
        int ifAbsent = to.equals(ABSENT) ? 404 : 201;
        int status = before.equals(ABSENT) ? ifAbsent : 204;
        if (answer.statusCode() != status) {
            tally.wrong(answer.request().method() + " " + answer.uri() + " was answered with " + answer.statusCode()
                    + ", not " + status + ": it had " + shown(before));
        }
        values.set(key, to);
    }

    private interface Attempt {
        @Nullable
        HttpResponse<byte[]> make() throws InterruptedException;
    }

    /** Repeats a request without effects that was in flight at a killed node. */
    private @Nullable HttpResponse<byte[]> answerOf(Attempt attempt) throws InterruptedException {
        HttpResponse<byte[]> answer = attempt.make();
        while (answer == null && !Thread.currentThread().isInterrupted()) {
            answer = attempt.make();
        }
        return answer;
    }

    /**
     * Sends a request until a node answers it.
     *
     * @param only the node to ask; null for any
     * @return null if it is unknown whether it was carried out
     */
    private @Nullable HttpResponse<byte[]> request(String method, int key, String value, @Nullable LoadTarget only)
            throws InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            LoadTarget target = only != null ? only : anyAvailable();
            int killsBefore = target.kills();
            try {
                HttpResponse<byte[]> answer = target.send(method, name(key), value);
                if (answer.statusCode() < 300 || answer.statusCode() == 404) {
                    tally.answered(System.nanoTime() - begin);
                    return answer;
                } else if (answer.statusCode() == 503) {
                    tally.refused.increment();
                } else {
                    tally.error(method + " " + answer.uri() + " was answered with " + answer.statusCode() + ": "
                            + new String(answer.body(), StandardCharsets.UTF_8).strip());
                    return null;
                }
            } catch (ConnectException | HttpConnectTimeoutException e) {
                tally.unconnected.increment();
            } catch (IOException e) {
                if (target.wasKilledSince(killsBefore)) {
                    tally.inFlight.increment();
                } else {
                    tally.error(method + " " + target.url() + ": " + e);
                }
                target.leave();
                return null;
            }
            target.leave();
            if (System.nanoTime() - begin > TO_FIND_A_NODE_NANOS) {
                throw new IllegalStateException("no node serves");
            }
            TimeUnit.MILLISECONDS.sleep(only == null ? 0 : 20);
        }
    }

    private LoadTarget anyAvailable() throws InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            LoadTarget target = targets.get(random.nextInt(targets.size()));
            if (target.isAvailable()) {
                return target;
            }
            if (targets.stream().noneMatch(LoadTarget::isAvailable)) {
                if (System.nanoTime() - begin > TO_FIND_A_NODE_NANOS) {
                    throw new IllegalStateException("no node is healthy");
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    /** The number of keys that have a value, as this client knows. */
    long held() {
        return values.stream().filter(value -> !value.equals(ABSENT)).count();
    }

    /** Reads all keys from one node, and returns how many have a value there. */
    long audit(LoadTarget target) throws InterruptedException {
        long found = 0;
        for (int key = 0; key < values.size(); key++) {
            int read = key;
            HttpResponse<byte[]> answer = answerOf(() -> request("GET", read, ABSENT, target));
            if (answer != null) {
                judgeRead(key, answer, List.of(values.get(key)));
                found += answer.statusCode() == 200 ? 1 : 0;
            }
        }
        return found;
    }

    /** Removes all keys that have a value. */
    void removeAll() throws InterruptedException {
        for (int key = 0; key < values.size(); key++) {
            if (!values.get(key).equals(ABSENT)) {
                change(key, ABSENT);
            }
        }
    }
}
