// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.node.ComputeNode;
import dev.remus.node.ConformanceOfAsyncOperations;
import dev.remus.node.ConformanceOfRoot;
import dev.remus.node.TestCluster;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The fabric contract in code: each guarantee of {@code dev.remus.fabric} is a test. To test a fabric, extend this
 * class once and return the fabric:
 *
 * <pre>{@code
 * class MyFabricTest extends FabricConformance {
 *     protected Fabric fabric() {
 *         return new MyFabric();
 *     }
 * }
 * }</pre>
 *
 * <p>Every test has a cluster of its own, with a unique name. The cluster is closed when the test ends, however it
 * ends, and must then be able to start again under the same name.
 *
 * <p>The tests in which nodes die have the tag {@code processes}. They start other JVMs, unless {@link #otherNodes}
 * replaces these.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
public abstract class FabricConformance
        implements ConformanceOfOperations,
                ConformanceOfChains,
                ConformanceOfDepth,
                ConformanceOfBounds,
                ConformanceOfThreads,
                ConformanceOfTransfers,
                ConformanceOfDirectOperations,
                ConformanceOfLocalReads,
                ConformanceOfConnecting,
                ConformanceOfClosing,
                ConformanceOfPeers,
                ConformanceOfFence,
                ConformanceOfAsyncOperations,
                ConformanceOfRoot,
                ConformanceOfDeath {
    private TestEndpoints cluster;

    /** The fabric to be tested. Called once for each test. */
    protected abstract Fabric fabric();

    /**
     * Completes the configuration of a test's cluster: a fabric between machines may set hosts here. Called after all
     * settings that the tests rely on.
     */
    protected ClusterConfig.Builder configure(ClusterConfig.Builder config) {
        return config;
    }

    /** Starts nodes outside this process. A fabric that lives in one JVM replaces the processes. */
    @Override
    public OtherNodes otherNodes() {
        return new NodeProcesses(fabric().getClass());
    }

    @Override
    public final TestEndpoints cluster() {
        return cluster;
    }

    /** Runs on the first three nodes of the running test's cluster. A fabric with a time of its own overrides it. */
    @Override
    public void runOneThread(int operations, ComputeNode.Body body) throws Exception {
        ClusterConfig all = cluster.config();
        ClusterConfig.Builder config = oneThread(all.toBuilder(), operations);
        if (!all.hosts().isEmpty()) {
            config.hosts(all.hosts().subList(0, 3));
        }
        try (TestCluster nodes =
                TestCluster.of(config.build(), cluster.fabric()).start()) {
            nodes.runThreads(body);
        }
    }

    /** The settings that {@link #runOneThread} requires. */
    protected static ClusterConfig.Builder oneThread(ClusterConfig.Builder config, int operations) {
        return config.memoryNodes(0, 1)
                .computeNodes(2, 2)
                .threadsPerNode(1)
                .lanes(3)
                .lanePolicy(LanePolicy.RR)
                .opsPerThread(operations);
    }

    @BeforeEach
    final void makeCluster() {
        cluster = new TestEndpoints(fabric(), this::configure);
    }

    @AfterEach
    final void closeClusterAndStartItAgain() {
        cluster.close();
        cluster.startAgain();
    }
}
