// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page13;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Kills the node of a thread inside a transfer, in one run at its first wait for remote memory, in the next one at its
 * second, and so on. Another thread looks at the accounts then.
 */
public final class KillEverywhere {
    private static final int ACCOUNTS = 4;
    private static final long BALANCE = 100;
    private static final long AMOUNT = 30;
    private static final long LATER_NANOS = 1_000_000;

    /** A run is over when nothing has changed for so long, which must suffice to find out that a node is lost. */
    private static final long QUIET_NANOS = 8_000_000_000L;

    private KillEverywhere() {}

    // #region scenario
    /** The sum that the other thread finds if the first one is killed at this wait. */
    private static long sumAfterDeath(int wait, boolean plans, boolean[] wasKilled) throws Exception {
        ClusterConfig config = SimulatedCluster.small(2)
                .computeNodes(2, 3)
                .threadsPerNode(1)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lossTimeout(Duration.ofSeconds(1))
                .build();
        Strike strike = new Strike(Fault.LOST_COMPUTE_NODES, 0, wait);
        Schedule schedule = Schedule.random(wait).withoutFaults().withStrikes(strike);
        SimulatedCluster cluster = new SimulatedCluster(config, schedule);
        cluster.simulator().quietAfter(QUIET_NANOS);
        AtomicLong sum = new AtomicLong();
        cluster.prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(Accounts.create(ACCOUNTS, BALANCE, ct));
                    }
                })
                .run(ct -> {
                    Accounts accounts = new Accounts(ct.root().get(), ACCOUNTS, plans, ct);
                    if (ct.id() == 0) {
                        accounts.transfer(1, 2, AMOUNT, ct);
                    } else {
                        ct.pause(LATER_NANOS);
                        sum.set(accounts.sum(ct));
                    }
                });
        wasKilled[0] = !cluster.stoppedThreads().isEmpty();
        return sum.get();
    }
    // #endregion scenario

    private static String sums(boolean plans) throws Exception {
        StringBuilder line = new StringBuilder();
        boolean[] wasKilled = {true};
        for (int wait = 1; ; wait++) {
            long sum = sumAfterDeath(wait, plans, wasKilled);
            if (!wasKilled[0]) {
                return line + " end";
            }
            line.append(' ').append(sum);
        }
    }

    /** Takes no arguments. */
    public static void main(String... args) throws Exception {
        System.out.println("the sum after a death at each wait, which should be " + ACCOUNTS * BALANCE);
        System.out.println("without plans:" + sums(false));
        System.out.println("with plans:   " + sums(true));
    }
}
