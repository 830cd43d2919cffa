package dev.remus.fabric.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A simulation in which nothing can happen any more, or that has taken more steps than it may: says who waits where. */
public class StuckException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, and what to do about it */
    public StuckException(String message) {
        super(message);
    }

    /** Where each thread that has not ended stands, outside the simulator. */
    static String describe(List<SimTask> tasks, @Nullable SimTask current) {
        StringBuilder text = new StringBuilder();
        for (SimTask task : tasks) {
            if (task.isAlive()) {
                text.append("\n  ").append(task.name()).append(": ").append(task.state);
                for (StackTraceElement at : stackTrace(task, current)) {
                    if (at.getClassName().startsWith("dev.remus")
                            && !at.getClassName().startsWith(StuckException.class.getPackageName())) {
                        text.append("\n    at ").append(at);
                    }
                }
            }
        }
        return text.toString();
    }

    private static StackTraceElement[] stackTrace(SimTask task, @Nullable SimTask current) {
        return task == current
                ? Thread.currentThread().getStackTrace()
                : task.coroutine().stackTrace();
    }
}
