// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.await.Await;
import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.local.LocalConfig;
import dev.remus.node.MemoryNode;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes of the service in one process, with a Memory Node. */
@Timeout(120)
@Tag("any-jdk")
class ServiceNodeTest {
    private static final Limits LIMITS = new Limits(16, 1000, 8, Duration.ofSeconds(60), Duration.ZERO);

    private final ClusterConfig config = LocalConfig.of(1, 2, 2)
            .onNodeLoss(OnNodeLoss.CONTINUE)
            .returns(3)
            .allocationWait(Duration.ZERO)
            .build();
    private final MemoryNode memory = MemoryNode.start(config, 0);

    @AfterEach
    void withdrawTheMemory() {
        memory.close();
    }

    private ServiceNode open(int id, Limits limits) throws Exception {
        return new ServiceNode(config, id, limits, 0, System.err);
    }

    private ServiceNode start(int id) throws Exception {
        ServiceNode node = open(id, LIMITS);
        node.start();
        return node;
    }

    private static ServiceClient client(ServiceNode node) {
        return new ServiceClient(node.url());
    }

    @Test
    void aKeyHasItsLastValueOnEveryNode() throws Exception {
        try (ServiceNode first = start(1);
                ServiceNode second = start(2)) {
            ServiceClient one = client(first);
            ServiceClient other = client(second);
            assertThat(one.read("/keys/milk")).isEqualTo("404 there is no such key");
            assertThat(one.put("milk", "2 litres")).isEqualTo(201);
            assertThat(other.read("/keys/milk")).isEqualTo("200 2 litres");
            assertThat(other.put("milk", "")).isEqualTo(204);
            assertThat(one.read("/keys/milk")).isEqualTo("200 ");
            assertThat(one.delete("milk")).isEqualTo(204);
            assertThat(other.delete("milk")).isEqualTo(404);
            assertThat(other.read("/keys/milk")).isEqualTo("404 there is no such key");
        }
    }

    @Test
    void aValueIsSentAsTextIfItIsText() throws Exception {
        try (ServiceNode node = start(1)) {
            byte[] noText = {(byte) 0xff, 0, 7};
            assertThat(client(node).send("PUT", "/keys/a%2Fb%20c", noText).statusCode())
                    .isEqualTo(201);
            HttpResponse<byte[]> found = client(node).get("/keys/a/b%20c");
            assertThat(found.body()).isEqualTo(noText);
            assertThat(found.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
            client(node).put("%C3%BC", "ü");
            HttpResponse<byte[]> text = client(node).get("/keys/%C3%BC");
            assertThat(ServiceClient.text(text)).isEqualTo("ü");
            assertThat(text.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /                       | 404 | there are /keys/KEY, /health and /metrics
            GET    | /keys/                  | 400 | the key is missing: /keys/KEY
            GET    | /keys/%ff               | 400 | the key is not UTF-8
            GET    | /keys/12345678901234567 | 414 | the key has 17 bytes; at most 16 are possible
            POST   | /keys/k                 | 405 | POST is not possible here; GET, PUT and DELETE are
            HEAD   | /health                 | 405 |
            DELETE | /health                 | 405 | only GET is possible here
            PUT    | /keys/k                 | 413 | the value has more than 1000 bytes
            """)
    void aWrongRequestIsAnsweredWithTheReason(String method, String path, int status, String reason) throws Exception {
        try (ServiceNode node = start(1)) {
            HttpResponse<byte[]> response = client(node).send(method, path, new byte[1001]);
            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(ServiceClient.text(response)).isEqualTo(reason == null ? "" : reason + "\n");
            assertThat(response.headers().firstValue("Allow").isPresent()).isEqualTo(status == 405);
        }
    }

    @Test
    void healthIs200OnlyWhileTheNodeServes() throws Exception {
        Limits drains = new Limits(16, 1000, 8, Duration.ofSeconds(60), Duration.ofSeconds(2));
        try (ServiceNode node = open(1, drains)) {
            ServiceClient client = client(node);
            String who = ": node 1, process " + ProcessHandle.current().pid();
            assertThat(client.read("/health")).isEqualTo("503 starting" + who);
            assertThat(client.read("/keys/k")).isEqualTo("503 starting");
            node.start();
            assertThat(client.read("/health")).isEqualTo("200 serving" + who);
            CompletableFuture<Void> stops = CompletableFuture.runAsync(node::close);
            Await.until("stopping", () -> !node.health().isServing());
            HttpResponse<byte[]> health = client.get("/health");
            assertThat(ServiceClient.text(health)).isEqualTo("stopping" + who + "\n");
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(health.headers().firstValue("Connection")).hasValue("close");
            assertThat(client.put("k", "still served")).isEqualTo(201);
            stops.get();
            assertThatThrownBy(() -> client.read("/health")).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void aNodeThatHasLeftComesBackAndTheOthersGoOnMeanwhile() throws Exception {
        try (ServiceNode other = start(2)) {
            for (int life = 0; life <= 3; life++) {
                try (ServiceNode node = start(1)) {
                    assertThat(client(node).put("life", "" + life)).isEqualTo(life == 0 ? 201 : 204);
                }
                assertThat(client(other).read("/keys/life")).isEqualTo("200 " + life);
            }
            assertThat(other.health().isServing()).isTrue();
        }
    }

    @Test
    void metricsCountRequestsErrorsEntriesAndRemoteOperations() throws Exception {
        try (ServiceNode node = start(1)) {
            ServiceClient client = client(node);
            for (int i = 0; i < 10; i++) {
                client.put("k" + i, "v");
            }
            client.get("/keys/none");
            String metrics = ServiceClient.text(client.get("/metrics"));
            assertThat(metrics)
                    .contains(
                            "remus_service_requests_seconds_count{method=\"PUT\",status=\"201\"} 10",
                            "remus_service_requests_seconds_count{method=\"GET\",status=\"404\"} 1",
                            "remus_service_errors_total 0.0",
                            "remus_service_busy 0.0",
                            "remus_service_map_entries 10.0")
                    .containsPattern("remus_operations_total\\{kind=\"read\",node=\"1\",thread=\"[01]\"} [1-9]");
        }
    }

    @Test
    void fullMemoryIsReportedAndRemovalsGoOn() throws Exception {
        try (ServiceNode node = start(1)) {
            ServiceClient client = client(node);
            String value = "x".repeat(1000);
            int stored = 0;
            int status = client.put("0", value);
            while (status == 201) {
                stored++;
                status = client.put("" + stored, value);
            }
            assertThat(stored).isGreaterThan(100);
            assertThat(status).isEqualTo(507);
            assertThat(client.read("/keys/" + stored)).isEqualTo("404 there is no such key");
            assertThat(client.read("/keys/0")).isEqualTo("200 " + value);
            assertThat(client.delete("0")).isEqualTo(204);
            assertThat(client.read("/metrics")).contains("remus_service_errors_total 1.0");
        }
    }

    @Test
    void aNodeThatLosesItsMemoryNodeFailsAndSaysSo() throws Exception {
        try (ServiceNode node = start(1)) {
            memory.close();
            node.awaitFailure();
            ServiceClient client = client(node);
            assertThat(client.read("/health")).startsWith("503 Memory Node 0 is lost");
            assertThat(client.read("/keys/k")).startsWith("503 Memory Node 0 is lost");
        }
    }
}
