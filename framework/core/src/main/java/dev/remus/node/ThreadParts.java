// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Environment;
import dev.remus.memory.AddressSpace;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentMap;

/** The parts of a {@link ComputeThread}, made in the order in which they need each other. */
final class ThreadParts {
    final ClusterConfig config;
    final int nodeId;
    final int index;
    final int id;
    final ThreadOwner owner;
    final BlockingOperations memory;
    final AddressSpace space;
    final ThreadMetrics metrics;
    final OperationsFactory operations;
    final Participation participation;
    final Environment environment;
    final CheckedMemory checked;
    final BufferedTransfers buffered;
    final AsyncOperations async;
    final Placement placement;
    final HeldLocks locks = new HeldLocks();
    final ThreadBackoff backoff;
    final LockWords lockWords;
    final Sequence sequence;
    final Peers peers;
    final SplittableRandom random;
    final Barriers barriers;
    final ThreadBlocks blocks;
    final Roots roots;
    final ConcurrentMap<Object, Object> objects;

    ThreadParts(
            ClusterConfig config,
            int nodeId,
            int life,
            int index,
            BlockingOperations memory,
            OperationsFactory operations,
            Membership membership,
            Participation participation,
            NodeEpochs epochs,
            ConcurrentMap<Object, Object> objects,
            AddressSpace spaceOfNode,
            Environment environment) {
        this.config = config;
        this.nodeId = nodeId;
        this.index = index;
        this.id = ThreadIds.id(config, nodeId, life, index);
        this.owner = new ThreadOwner("Compute Thread " + index + " of Compute Node " + nodeId);
        this.memory = memory;
        this.space = spaceOfNode.forThread();
        this.metrics = new ThreadMetrics(memory);
        this.operations = operations;
        this.objects = objects;
        this.participation = participation;
        this.environment = environment;
        this.checked = new CheckedMemory(space, memory, metrics);
        this.buffered = new BufferedTransfers(memory, metrics, operations::allocateLocal, config.threadBufferBytes());
        this.async = new AsyncOperations(space, owner, metrics, () -> operations.newEngine(owner, memory, metrics));
        this.placement = new Placement(memory, metrics, async);
        this.backoff = new ThreadBackoff(config, memory, membership, metrics, locks, environment);
        Attendance attendance = new Attendance(config);
        this.peers = new Peers(config, membership, attendance);
        this.lockWords = new LockWords(id, memory, space, peers, metrics);
        this.sequence = new Sequence(space, memory.newSequence(), metrics, async);
        this.random = new SplittableRandom(environment.newSeed());
        this.barriers = new Barriers(config, id, checked, peers, attendance, membership, operations);
        if (life > 0) {
            barriers.join();
        }
        Allocator allocator = new Allocator(config, nodeId, id, space, checked, placement, backoff, operations, random);
        this.blocks = new ThreadBlocks(
                config, owner, id, space, checked, placement, allocator, backoff, epochs, peers, metrics, operations);
        this.roots = new Roots(config, checked, buffered, placement, backoff, blocks);
    }

    /** Ends the thread's part in the cluster, unless a loss has ended the run. Returns whether it has. */
    boolean finish() {
        if (participation.isOver()) {
            return false;
        }
        placement.placeAll();
        locks.checkNoneIsLeft(owner, participation);
        blocks.close();
        barriers.close();
        participation.finish(1, checked::fetchAndAddHeader);
        return true;
    }

    /** Lets the thread take part again after {@link #finish}. */
    void resume() {
        participation.resume(checked::fetchAndAddHeader);
        barriers.join();
        blocks.reopen();
    }
}
