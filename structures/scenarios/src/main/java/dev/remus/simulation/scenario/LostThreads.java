// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Simulator;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Threads that work until they are lost, and what others see of that ({@link dev.remus.node.Peers#isLost}). No
 * operation may succeed that a thread begins after another one has seen its loss. Records on the Java heap, since one
 * thread runs at a time.
 */
final class LostThreads {
    private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();
    private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

    /** The threads that each thread has seen to be lost. */
    private final Map<Integer, Set<Integer>> seen = new HashMap<>();

    /** The threads that any thread has seen to be lost. */
    private final Set<Integer> lost = new TreeSet<>();

    /** Whether a thread is lost, as another one sees it. A loss is never taken back, and not both final and overdue. */
    boolean isLost(int thread, ComputeThread observer) {
        boolean isLost = observer.peers().isLost(thread);
        Set<Integer> before = seen.computeIfAbsent(observer.id(), id -> new TreeSet<>());
        if (!isLost && before.contains(thread)) {
            throw new AssertionError(observer + " does not know any more that thread " + thread + " is lost");
        }
        if (isLost && observer.peers().isLostAndNotCutOff(thread)) {
            throw new AssertionError(observer + " knows that thread " + thread + " is cut off, and waits for that");
        }
        if (isLost) {
            before.add(thread);
            lost.add(thread);
        }
        return isLost;
    }

    /** Waits until an observer sees that a thread is lost, which may take a while, but not for ever. */
    void awaitLoss(int thread, Simulator simulator, ComputeThread observer) {
        long since = observer.nanoTime();
        while (!isLost(thread, observer)) {
            if (observer.nanoTime() - since > PATIENCE_NANOS) {
                throw new AssertionError(observer + " waits for ever until thread " + thread + " is lost");
            }
            simulator.sleep(POLL_NANOS);
        }
    }

    /** Looks at a lost thread so often again: a zombie may go on meanwhile. */
    void lookAgain(int thread, int looks, Simulator simulator, ComputeThread observer) {
        for (int i = 0; i < looks; i++) {
            simulator.sleep(POLL_NANOS);
            isLost(thread, observer);
        }
    }

    /** Checks that a wait for a thread that is lost ends. */
    void checkWaitEnds(int thread, ComputeThread observer) {
        try {
            observer.pauseFor(thread);
        } catch (NodeLostException e) {
            if (e.node() == observer.peers().nodeOf(thread)) {
                return;
            }
            throw e;
        }
        throw new AssertionError(observer + " waits for thread " + thread + ", which is lost");
    }

    /** Changes and reads words for ever. It ends with the exception for a lost node, perhaps much too late. */
    void workForEver(long[] words, SplittableRandom random, ComputeThread ct) {
        Set<Integer> memoryNodes = Arrays.stream(words).mapToObj(RdmaPtr::node).collect(Collectors.toSet());
        while (true) {
            boolean isTooLate = lost.contains(ct.id());
            long word = words[random.nextInt(words.length)];
            try {
                if (random.nextBoolean()) {
                    ct.write(word, random.nextLong());
                } else {
                    ct.read(word);
                }
                if (isTooLate) {
                    throw new AssertionError(ct + " has accessed " + new RdmaPtr<>(word)
                            + ", after another thread had seen that it is lost and cut off");
                }
            } catch (NodeLostException e) {
                memoryNodes.remove(e.node());
                if (e.node() == ct.peers().nodeOf(ct.id()) || memoryNodes.isEmpty()) {
                    throw e;
                }
            } catch (FabricException e) {
                // the lane broke
            }
            ct.pause();
        }
    }
}
