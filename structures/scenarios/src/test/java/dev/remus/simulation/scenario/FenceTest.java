// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.LostHolderException;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.spec.SetLossScenario;
import dev.remus.structures.spec.SetScenario;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a wait for what a lost node held, whether the Memory Nodes cut it off or not. */
class FenceTest {
    private static final int THREADS = 2;
    private static final int HOLDER = 0;
    private static final int MAX_SCHEDULES = 2_000;
    private static final long QUIET_NANOS = 5_000_000_000L;

    private static RemoteLock lock(ComputeThread ct) {
        RemoteLock lock = new RemoteLock(THREADS);
        lock.at(ct.root().get().raw());
        return lock;
    }

    private static void createLock(ComputeThread ct) {
        if (ct.id() == HOLDER) {
            RemoteLock lock = new RemoteLock(THREADS);
            lock.allocate(ct);
            lock.init(ct);
            ct.root().set(new RdmaPtr<>(lock.pointer()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "NEVER_ACKNOWLEDGED"})
    void aWaiterGetsTheLockOfALostHolderOrItsNameIfNoMemoryNodeCutsItOffInTime(FlawedFence fence) throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicBoolean isLost = new AtomicBoolean();
        AtomicBoolean isOverdue = new AtomicBoolean();
        SimulatedCluster cluster = new SimulatedCluster(
                        SimulatedCluster.small(THREADS)
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .lossTimeout(Duration.ofSeconds(1))
                                .build(),
                        Schedule.random(1).withStrikes(new Strike(Fault.LOST_COMPUTE_NODES, HOLDER, 20)))
                .over(fence);
        cluster.simulator().quietAfter(QUIET_NANOS);
        cluster.prepared(FenceTest::createLock).run(ct -> {
            RemoteLock lock = lock(ct);
            if (ct.id() == HOLDER) {
                lock.acquire(ct);
                while (true) {
                    ct.pause(); // until its node is lost
                }
            }
            while (lock.holder(ct).isEmpty()) {
                ct.pause();
            }
            thrown.set(catchThrowable(() -> lock.acquire(ct)));
            isLost.set(ct.peers().isLost(HOLDER));
            isOverdue.set(ct.peers().isLostAndNotCutOff(HOLDER));
            if (thrown.get() == null) {
                lock.release(ct);
            }
        });
        if (fence == FlawedFence.NONE) {
            assertThat(thrown.get()).isNull();
        } else {
            assertThat(thrown.get()).isInstanceOf(LostHolderException.class);
        }
        assertThat(isLost.get()).isEqualTo(fence == FlawedFence.NONE);
        assertThat(isOverdue.get()).isEqualTo(fence != FlawedFence.NONE);
    }

    @Test
    void aListWhoseLocksNoThreadTakesFromLostOnesIsFound() {
        SetLossScenario scenario =
                new SetLossScenario(SetScenario.lazyList(4, 6, 3, false), FlawedFence.NEVER_ACKNOWLEDGED);
        assertThat(Finding.first(scenario, Schedule::random, 0, MAX_SCHEDULES)).isPresent();
    }
}
