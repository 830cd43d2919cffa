package dev.remus.junit;

import dev.remus.fabric.sim.Fault;
import dev.remus.simulation.SchedulerKind;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that is run in many schedules, on the same object, until one fails. It takes the {@link
 * dev.remus.simulation.Schedule}, and usually gives it to a {@link dev.remus.simulation.SimulatedCluster}:
 *
 * <pre>{@code
 * @SimulationTest(schedules = 1000, faults = Fault.PAUSED_THREADS)
 * void noCountIsLost(Schedule schedule) throws Exception {
 *     new SimulatedCluster(4, schedule).prepared(ct -> ...).run(ct -> ...);
 * }
 * }</pre>
 *
 * <p>Seeds are new in every build. A failure names the seed, and {@code -Dremus.seed=N} runs that one alone; {@code
 * -Dremus.schedules=N} runs another number of schedules, wherever the annotation is.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(SimulationExtension.class)
@SuppressWarnings("exports") // the extension serves JUnit alone
public @interface SimulationTest {
    /** How many schedules, at most. */
    int schedules() default 500;

    /** How it is decided who goes on. */
    SchedulerKind scheduler() default SchedulerKind.RANDOM;

    /** For an exhaustive search: how many preemptions a schedule may have. */
    int preemptions() default 2;

    /** What may go wrong. */
    Fault[] faults() default {};
}
