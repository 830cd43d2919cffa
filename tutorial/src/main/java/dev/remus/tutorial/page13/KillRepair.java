// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page13;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Solution of the exercise: kills a thread inside a transfer, and the thread that repairs it at each of its waits. A
 * third one looks at the accounts then.
 */
public final class KillRepair {
    private static final int ACCOUNTS = 4;
    private static final long BALANCE = 100;
    private static final long AMOUNT = 30;

    /** The wait of a transfer after which it has stored one of the two balances. */
    private static final int BETWEEN = 11;

    private static final long LATER_NANOS = 1_000_000;
    private static final long QUIET_NANOS = 8_000_000_000L;

    private KillRepair() {}

    // #region scenario
    /**
     * The sum that the third thread finds if the second one is killed at this wait; -1 if it
     * has fewer waits.
     */
    private static long sumAfterDeaths(int secondDies) throws Exception {
        ClusterConfig config = SimulatedCluster.small(2)
                .computeNodes(2, 4)
                .threadsPerNode(1)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lossTimeout(Duration.ofSeconds(1))
                .build();
        Schedule schedule = Schedule.random(secondDies)
                .withoutFaults()
                .withStrikes(
                        new Strike(Fault.LOST_COMPUTE_NODES, 0, BETWEEN),
                        new Strike(Fault.LOST_COMPUTE_NODES, 1, secondDies));
        SimulatedCluster cluster = new SimulatedCluster(config, schedule);
        cluster.simulator().quietAfter(QUIET_NANOS);
        AtomicLong sum = new AtomicLong();
        cluster.prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(Accounts.create(ACCOUNTS, BALANCE, ct));
                    }
                })
                .run(ct -> {
                    Accounts accounts = new Accounts(ct.root().get(), ACCOUNTS, true, ct);
                    ct.pause(ct.id() * LATER_NANOS);
                    if (ct.id() == 0) {
                        accounts.transfer(1, 2, AMOUNT, ct);
                    } else {
                        sum.set(accounts.sum(ct)); // repairs first, if there is a plan
                    }
                });
        return cluster.stoppedThreads().equals(Set.of(0, 1)) ? sum.get() : -1;
    }
    // #endregion scenario

    /** Takes no arguments. */
    public static void main(String... args) throws Exception {
        Set<Long> sums = new TreeSet<>();
        int deaths = 0;
        for (long sum = sumAfterDeaths(1); sum >= 0; sum = sumAfterDeaths(deaths + 1)) {
            sums.add(sum);
            deaths++;
        }
        System.out.println(deaths + " deaths of the second thread, and these sums: " + sums);
    }
}
