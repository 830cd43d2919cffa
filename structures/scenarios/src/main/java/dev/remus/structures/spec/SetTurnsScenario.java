// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RemoteLongSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Threads use a set in turn, each on a Compute Node of its own, and reuse memory after each round, so that what a
 * handle remembers has become old, and its blocks belong to other nodes. Each result must be that of a sequential set.
 *
 * @param set the threads, the number of rounds, the keys, and the set
 */
public record SetTurnsScenario(SetScenario set) implements Scenario {
    private static final int MOST_OPERATIONS = 3;

    @Override
    public void run(Schedule schedule) throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(set.threads())
                        .computeNodes(2, 1 + set.threads())
                        .threadsPerNode(1)
                        .build(),
                schedule);
        int[] turn = {0};
        Set<Long> model = new TreeSet<>();
        cluster.prepared(set::create).run(ct -> {
            RemoteLongSet handle = set.opener().apply(ct.root().get());
            SplittableRandom random = schedule.choices(ct.id());
            for (int round = 0; round < set.operations(); round++) {
                while (turn[0] != round * set.threads() + ct.id()) {
                    ct.pause();
                }
                for (int left = 1 + random.nextInt(MOST_OPERATIONS); left > 0; left--) {
                    operate(handle, random.nextInt(set.keys()), random.nextInt(3), model, ct);
                }
                turn[0]++;
                ct.barrier();
                ct.reclaimDeferred();
            }
            if (ct.id() == 0) {
                require(handle.checkedSize(ct) == model.size(), "the size");
            }
        });
    }

    private static void operate(RemoteLongSet handle, long key, int kind, Set<Long> model, ComputeThread ct) {
        switch (kind) {
            case 0 -> require(handle.insert(key, ct) == model.add(key), "an insert of " + key);
            case 1 -> require(handle.remove(key, ct) == model.remove(key), "a remove of " + key);
            default -> require(handle.contains(key, ct) == model.contains(key), "a look-up of " + key);
        }
    }

    private static void require(boolean isRight, String what) {
        if (!isRight) {
            throw new AssertionError(what + " has the wrong result");
        }
    }
}
