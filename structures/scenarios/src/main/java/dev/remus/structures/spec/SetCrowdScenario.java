// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RemoteLongSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Each thread inserts and removes keys of its own, which lie between those of the others, so that all change the same
 * few nodes. Some requests are late until others use the same words. Each change must succeed, and the set must have
 * the keys that its threads have left there.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param set the set; each thread has so many keys, and makes so many changes
 */
public record SetCrowdScenario(SetScenario set) implements Scenario {
    private static final int MOST_LATE = 12;
    private static final int WAITS_OF_A_CHANGE = 8;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        List<Strike> strikes = new ArrayList<>();
        for (int i = random.nextInt(MOST_LATE); i >= 0; i--) {
            int wait = 1 + random.nextInt(WAITS_OF_A_CHANGE * set.operations());
            strikes.add(new Strike(Fault.LATE_REQUESTS, random.nextInt(set.threads()), wait));
        }
        Set<Long> keys = new TreeSet<>();
        Set<Integer> ended = new TreeSet<>();
        new SimulatedCluster(
                        SimulatedCluster.small(set.threads())
                                .lanes(1 + random.nextInt(2))
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .build(),
                        schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)))
                .prepared(set::create)
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        check(keys, set.open(ct), ct);
                    }
                })
                .run(ct -> {
                    change(set.open(ct), keys, schedule.choices(ct.id()), ct);
                    ended.add(ct.id());
                });
        if (ended.size() < set.threads()) {
            throw new AssertionError("of " + set.threads() + " threads only " + ended + " have ended");
        }
    }

    private void change(RemoteLongSet handle, Set<Long> keys, SplittableRandom random, ComputeThread ct) {
        for (int i = 0; i < set.operations(); i++) {
            long key = (long) random.nextInt(set.keys()) * set.threads() + ct.id();
            boolean isThere = keys.contains(key);
            if (!(isThere ? handle.remove(key, ct) : handle.insert(key, ct))) {
                throw new AssertionError(ct + " alone uses key " + key + ", which is " + (isThere ? "" : "not ")
                        + "in the set, and cannot change that");
            }
            if (isThere) {
                keys.remove(key);
            } else {
                keys.add(key);
            }
        }
    }

    private void check(Set<Long> keys, RemoteLongSet handle, ComputeThread ct) {
        for (long key = 0; key < (long) set.keys() * set.threads(); key++) {
            if (handle.contains(key, ct) != keys.contains(key)) {
                throw new AssertionError("key " + key + " should " + (keys.contains(key) ? "" : "not ")
                        + "be in the set; the keys are " + keys);
            }
        }
        if (handle.checkedSize(ct) != keys.size()) {
            throw new AssertionError("the set has " + handle.checkedSize(ct) + " keys instead of " + keys);
        }
    }
}
