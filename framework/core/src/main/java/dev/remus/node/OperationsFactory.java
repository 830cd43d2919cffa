// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.ShadowOperations;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates the operations of a Compute Node's threads: the fabric's own if it executes them at once, otherwise chains on
 * lanes that the threads share.
 */
final class OperationsFactory {
    private final ClusterConfig config;
    private final Environment environment;
    private final ComputeEndpoint endpoint;
    private final List<Link> links;
    private final SharedLane.Users users = new SharedLane.Users();
    private final SharedLane[][] lanes;
    private final CompletionWatch completions;

    /** Whether the fabric executes operations at once. Known once its blocking operations were requested. */
    private volatile boolean executesAtOnce;

    /** @param links one for each Memory Node, in the order of their ids */
    OperationsFactory(ClusterConfig config, Environment environment, ComputeEndpoint endpoint, List<Link> links) {
        this.config = config;
        this.environment = environment;
        this.endpoint = endpoint;
        this.links = links;
        this.lanes = sharedLanes();
        this.completions = new CompletionWatch(environment, "remus-completions-" + endpoint.node(), lanes);
    }

    Environment environment() {
        return environment;
    }

    private SharedLane[][] sharedLanes() {
        SharedLane[][] all = new SharedLane[links.size()][];
        for (int i = 0; i < all.length; i++) {
            Link link = links.get(i);
            all[i] = new SharedLane[link.lanes()];
            for (int j = 0; j < all[i].length; j++) {
                Lane lane = link.lane(j);
                all[i][j] = new SharedLane(lane, link.memoryNode(), users);
            }
        }
        return all;
    }

    /**
     * Creates the blocking operations for one thread.
     *
     * @param thread its number on this node
     * @param membership the state of the other nodes; null while it is unknown
     */
    BlockingOperations newMemory(int thread, @Nullable Membership membership) {
        Optional<BlockingOperations> direct = endpoint.directOperations(links);
        executesAtOnce = direct.isPresent();
        return direct.orElseGet(() -> laneMemory(thread, membership));
    }

    private BlockingOperations laneMemory(int thread, @Nullable Membership membership) {
        LanePicker picker = new LanePicker(config.lanePolicy(), config.lanes(), thread, environment.newSeed());
        return BlockingLaneOperations.create(
                new ThreadLanes(links, lanes, picker, config, membership, environment),
                users,
                environment,
                () -> endpoint.allocateLocal(BlockingLaneOperations.SCRATCH),
                endpoint.singleOperations(links));
    }

    /**
     * Creates the asynchronous engine for one thread.
     *
     * @param memory the thread's blocking operations
     */
    AsyncEngine newEngine(ThreadOwner owner, BlockingOperations memory, ThreadMetrics metrics) {
        if (executesAtOnce) {
            return new AsyncDirectEngine(owner, config, metrics, environment, completions, memory);
        }
        BlockingLaneOperations blocking = (BlockingLaneOperations) RecordedOperations.inside(memory);
        return AsyncLaneEngine.create(
                owner, config, metrics, blocking, users, environment, completions, endpoint::allocateLocal);
    }

    /**
     * Creates the access to shadow words for one thread.
     *
     * @param memory the thread's blocking operations
     */
    ShadowOperations newShadow(BlockingOperations memory) {
        return endpoint.shadowOperations(links).orElseGet(() -> ShadowOperations.by(memory));
    }

    /**
     * Leaves it to another thread to connect the lanes on which a thread's blocking operations fail.
     *
     * @param dialler null if the thread is to connect them itself
     * @param memory the thread's blocking operations
     */
    void leaveDiallingTo(@Nullable LaneDialler dialler, BlockingOperations memory) {
        if (memory instanceof BlockingLaneOperations blocking) {
            blocking.lanes().leaveDiallingTo(dialler);
        }
    }

    LocalBuffer allocateLocal(long bytes) {
        return endpoint.allocateLocal(bytes);
    }

    void close() {
        completions.close();
    }
}
