// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import java.util.HashMap;
import java.util.Map;

/**
 * Connects broken lanes again in place of a thread that has other duties: an attempt to reach a Memory Node that does
 * not answer takes seconds. Each lane has a thread of its own, so dialling one Memory Node delays no other. The thread
 * is started when its lane has broken, and ends when the lane is connected.
 *
 * <p>Not thread-safe: {@link #end} is for the thread that ends the node, once the one with other duties has ended.
 */
final class LaneDialler {
    /** The pause after an attempt that has failed: as long as a watch waits before it needs the lane again. */
    private static final long PAUSE_NANOS = 200_000_000;

    private final Environment environment;
    private final String name;
    private final Map<SharedLane, Environment.Task> tasks = new HashMap<>();
    private volatile boolean closing;

    /** @param name the first part of the names of its threads */
    LaneDialler(Environment environment, String name) {
        this.environment = environment;
        this.name = name;
    }

    /**
     * Has a broken lane connected. Returns at once.
     *
     * @throws FabricException if no thread can be started
     */
    void connect(SharedLane lane, Link link) {
        Environment.Task before = tasks.get(lane);
        if (closing || link.isLost() || before != null && before.isAlive()) {
            return;
        }
        try {
            tasks.put(lane, environment.start(name + "-" + lane.memoryNode(), true, () -> dial(lane, link)));
        } catch (OutOfMemoryError e) { // what a JVM throws that has too many threads
            throw new FabricException(lane + " is broken, and no thread can be started that connects it", e);
        }
    }

    /** Makes attempts until the lane is connected, its Memory Node is lost, or the node ends. */
    private void dial(SharedLane lane, Link link) {
        Backoff backoff = new Backoff(environment);
        while (!closing && lane.isBroken() && !link.isLost()) {
            SharedLane.Recovery recovery = link.isReachable() ? lane.recover() : SharedLane.Recovery.FAILED;
            if (recovery == SharedLane.Recovery.BUSY) {
                backoff.pause(); // until what others have posted has failed too
            } else if (recovery == SharedLane.Recovery.FAILED && !closing) {
                environment.sleep(PAUSE_NANOS);
            }
        }
    }

    /**
     * Lets no attempt begin any more, and waits for the end of those that are under way.
     *
     * @return whether the calling thread was interrupted
     */
    boolean end() {
        closing = true;
        tasks.values().forEach(Environment.Task::wake);
        boolean interrupted = false;
        for (Environment.Task task : tasks.values()) {
            interrupted |= Tasks.join(task);
        }
        return interrupted;
    }
}
