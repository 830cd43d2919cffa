// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.await.Await;
import dev.remus.config.ClusterConfig;
import dev.remus.local.LocalConfig;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One Compute Thread, one place for a request that waits. */
@Timeout(120)
class ThreadPoolTest {
    private final ClusterConfig config = LocalConfig.of(1, 1, 1).build();
    private final MemoryNode memory = MemoryNode.start(config, 0);
    private final ComputeNode node = ComputeNode.connect(config, 1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<String> reports = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        node.close();
        memory.close();
    }

    private ThreadPool pool(Duration requestTime) {
        return new ThreadPool(node, limits(requestTime), e -> {}, reports::add);
    }

    private static Limits limits(Duration requestTime) {
        return new Limits(16, 1000, 1, requestTime, Duration.ZERO);
    }

    private boolean awaitEnd() {
        try {
            end.await();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Occupies the thread until the end, and then one more place, which waits. */
    private CompletableFuture<Boolean> occupy(ThreadPool pool) {
        CompletableFuture<Boolean> runs = CompletableFuture.supplyAsync(() -> pool.call((map, ct) -> awaitEnd()));
        Await.until("a place is taken", () -> pool.busy() == 1);
        return runs;
    }

    @Test
    void aFailureToOpenTheThreadsIsThrownAsItIs() {
        node.close();
        assertThatThrownBy(() -> pool(Duration.ofSeconds(60))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theFirstUseOfTheMapLeavesItAsItWas() {
        for (int i = 0; i < 2; i++) {
            try (ThreadPool pool = pool(Duration.ofSeconds(60))) {
                assertThat(pool.<Long>call((map, ct) -> map.size(ct))).isEqualTo(i);
                pool.call((map, ct) -> map.put("k", new byte[] {1}, ct));
            }
        }
    }

    @Test
    void aRequestWithoutAPlaceIsRefusedAtOnceAndMayBeSentAgain() throws Exception {
        try (ThreadPool pool = pool(Duration.ofSeconds(60));
                Front front = new Front(
                        0,
                        1,
                        limits(Duration.ofSeconds(60)),
                        new Meters(),
                        () -> new Health(Health.State.SERVING, "serving"),
                        "a node")) {
            front.serveWith(pool);
            CompletableFuture<Boolean> runs = occupy(pool);
            CompletableFuture<Boolean> waits = CompletableFuture.supplyAsync(() -> pool.call((map, ct) -> true));
            Await.until("a place is taken", () -> pool.busy() == 2);
            HttpResponse<byte[]> refused = new ServiceClient(front.url()).get("/keys/k");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(ServiceClient.text(refused)).isEqualTo("too many requests are waiting\n");
            assertThat(new ServiceClient(front.url()).read("/health")).isEqualTo("200 serving: a node");
            end.countDown();
            assertThat(runs.get()).isTrue();
            assertThat(waits.get()).isTrue();
            assertThat(new ServiceClient(front.url()).read("/keys/k")).startsWith("404");
        }
    }

    @Test
    void aRequestThatTakesTooLongIsUnfinishedAndOneThatHasNotBegunIsNeverCarriedOut() throws Exception {
        try (ThreadPool pool = pool(Duration.ofMillis(200))) {
            CompletableFuture<Boolean> begun = occupy(pool);
            CompletableFuture<Boolean> carriedOut = new CompletableFuture<>();
            assertThatThrownBy(() -> pool.call((map, ct) -> carriedOut.complete(true)))
                    .isInstanceOfSatisfying(
                            Refusal.class, e -> assertThat(e.status()).isEqualTo(Refusal.UNAVAILABLE));
            assertThatThrownBy(begun::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            Refusal.class, e -> assertThat(e.status()).isEqualTo(Refusal.UNFINISHED));
            assertThat(reports)
                    .as("where the thread is, for those who look for the reason")
                    .singleElement()
                    .asString()
                    .startsWith("an operation has not ended within 200 ms\n\tat ")
                    .contains("CountDownLatch.await", "ThreadPoolTest.awaitEnd");
            end.countDown();
            Await.until("it serves", () -> isServed(pool));
            assertThat(carriedOut).isNotDone();
        }
    }

    private static boolean isServed(ThreadPool pool) {
        try {
            return pool.call((map, ct) -> true);
        } catch (Refusal e) {
            return false;
        }
    }

    @Test
    void anOperationThatFailsFailsAlone() {
        try (ThreadPool pool = pool(Duration.ofSeconds(60))) {
            assertThatThrownBy(() -> pool.call((map, ct) -> {
                        throw new IllegalStateException("no more milk");
                    }))
                    .isInstanceOfSatisfying(
                            Refusal.class, e -> assertThat(e.status()).isEqualTo(500))
                    .hasMessageContaining("no more milk");
            assertThat(pool.<Boolean>call((map, ct) -> map.put("k", new byte[1], ct) == null))
                    .isTrue();
        }
    }
}
