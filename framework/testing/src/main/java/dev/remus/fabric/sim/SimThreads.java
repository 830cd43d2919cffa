// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The threads of a simulation, and how they end. */
final class SimThreads {
    /** The beginnings of the names of classes that a description leaves out. */
    private static final List<String> HIDDEN = List.of("java.", "jdk.", SimThreads.class.getPackageName() + ".");

    private final SimWorld world;
    private final List<SimTask> tasks = new ArrayList<>();
    private final Set<Integer> stopped = new TreeSet<>();
    private int unfinished;

    SimThreads(SimWorld world) {
        this.world = world;
    }

    void add(SimTask task) {
        tasks.add(task);
        unfinished += task.isDaemon() ? 0 : 1;
    }

    /** All threads that were started, in order. */
    List<SimTask> all() {
        return List.copyOf(tasks);
    }

    /** Whether all threads except daemons have ended. */
    boolean haveFinished() {
        return unfinished == 0;
    }

    /** The numbers of the exposed threads that have stopped for ever, by themselves or with their node. */
    Set<Integer> stopped() {
        return stopped;
    }

    /** Records that a thread has ended; the thread that waits for its end can go on. */
    void end(SimTask task) {
        task.state = SimTask.State.ENDED;
        world.changed();
        unfinished -= task.isDaemon() ? 0 : 1;
        if (task.joiner != null) {
            world.makeReady(task.joiner);
        }
    }

    /** Stops a thread for ever, at the point where it waits now; a thread that waits for its end waits in vain. */
    void stop(SimTask task) {
        world.makeUnready(task);
        task.state = SimTask.State.STOPPED;
        stopped.add(task.exposedAs);
    }

    /** Stops a thread for some time. */
    void freeze(SimTask task, long nanos) {
        world.makeUnready(task);
        task.state = SimTask.State.FROZEN;
        world.setAlarm(task, nanos);
    }

    /** Ends the wait of a thread with an exception; does nothing if it does not wait. */
    void interrupt(SimTask task) {
        task.interruptsWait = true;
        world.makeReady(task);
    }

    /** Ends all threads of a Compute Node, wherever they are. */
    void endAllOf(SimNode node) {
        for (SimTask task : tasks) {
            if (task.home == node && task.isAlive()) {
                if (task.exposedAs >= 0) {
                    stopped.add(task.exposedAs);
                }
                world.makeUnready(task);
                end(task);
            }
        }
    }

    /** Lists each thread that has not ended, with its stack outside Java and the simulator. */
    String describe(@Nullable SimTask current) {
        StringBuilder text = new StringBuilder();
        for (SimTask task : tasks) {
            if (task.isAlive()) {
                text.append("\n  ").append(task.name()).append(": ").append(task.state);
                for (StackTraceElement at : stackTrace(task, current)) {
                    if (HIDDEN.stream().noneMatch(at.getClassName()::startsWith)
                            && !at.getClassName().contains("$$Lambda")) {
                        text.append("\n    at ").append(readable(at));
                    }
                }
            }
        }
        return text.toString();
    }

    /** A frame without its class loader and its module. */
    private static StackTraceElement readable(StackTraceElement at) {
        return new StackTraceElement(at.getClassName(), at.getMethodName(), at.getFileName(), at.getLineNumber());
    }

    private static StackTraceElement[] stackTrace(SimTask task, @Nullable SimTask current) {
        return task == current
                ? Thread.currentThread().getStackTrace()
                : task.coroutine().stackTrace();
    }
}
