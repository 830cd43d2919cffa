// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Environment;
import dev.remus.fabric.InterruptedWaitException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The pauses of the threads of a simulation: each thread waits for a completion, a change, or some virtual time. */
final class SimPauses implements Environment.Pauses {
    private static final long PAUSE_NANOS = 500;
    private static final int LONGEST_PAUSE_LOG2 = 16;

    private final SimWorld world;
    private final Supplier<@Nullable SimTask> current;
    private final Consumer<SimTask> passOn;

    /**
     * @param current the calling thread, null if it is not a simulated one
     * @param passOn gives up its turn
     */
    SimPauses(SimWorld world, Supplier<@Nullable SimTask> current, Consumer<SimTask> passOn) {
        this.world = world;
        this.current = current;
        this.passOn = passOn;
    }

    /** Lets others post behind the same doorbell. */
    @Override
    public void beforeFirstPoll() {
        SimTask self = current.get();
        if (self != null && world.hasDoorbells()) {
            world.makeReady(self);
            passOn.accept(self);
            self.interruptsWait = false; // it does not wait
        }
    }

    @Override
    public void pause(int attempt, long nanos) {
        SimTask self = current.get();
        if (self == null) {
            Thread.onSpinWait();
            return;
        }
        checkInterrupted(self);
        Timing timing = world.timing();
        boolean isEnumerated = world.isEnumerated() && self.isExposed();
        if (timing != null && self.awaitsArrival()) {
            self.sleepUntilArrival(nanos);
        } else if (self.requests > 0 && (isEnumerated || nanos == Long.MAX_VALUE)) {
            self.state = SimTask.State.WAITING; // until a completion arrives
        } else if (self.requests > 0) {
            self.expectsCompletion = true;
            self.sleepFor(nanos);
        } else if (isEnumerated) {
            rest(self, Math.min(nanos, PAUSE_NANOS << Math.min(attempt, LONGEST_PAUSE_LOG2)));
        } else if (timing != null) {
            self.sleepFor(Math.min(nanos, timing.pause(attempt)));
        } else {
            world.paused(self);
            boolean hasMissed = self.watcher().hasMissedChange();
            self.sleepFor(Math.min(nanos, PAUSE_NANOS << (hasMissed ? 0 : Math.min(attempt, LONGEST_PAUSE_LOG2))));
            if (hasMissed) {
                self.watcher().forget(); // once: unless it reads the word again, it waits for something else
            }
            self.watcher().watch();
        }
        passOn.accept(self);
        self.expectsCompletion = false;
        throwIfStruck(self);
    }

    /** Throws once if a fault ends the wait that has just ended. */
    static void throwIfStruck(SimTask self) {
        if (self.interruptsWait) {
            self.interruptsWait = false;
            throw new InterruptedWaitException("interrupted while waiting");
        }
    }

    /** A pause in an enumeration: of any length, but the second one without a change lasts until there is one. */
    void rest(SimTask self, long nanos) {
        world.paused(self);
        self.wakesAt = world.now() + nanos;
        if (self.changesAtPause == world.changes()) {
            self.state = SimTask.State.ASLEEP;
            world.park(self, self.wakesAt);
            world.leavesOut(Bound.POLLS);
        } else {
            world.makeReady(self);
        }
        self.changesAtPause = world.changes();
    }

    private static void checkInterrupted(SimTask self) {
        if (self.interrupted) {
            throw new InterruptedWaitException("interrupted while waiting");
        }
    }
}
