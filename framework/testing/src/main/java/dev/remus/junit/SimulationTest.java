// SPDX-License-Identifier: Apache-2.0
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
 * Runs a test method in many schedules, on the same object, until one fails. The method takes the {@link
 * dev.remus.simulation.Schedule}, and usually passes it to a {@link dev.remus.simulation.SimulatedCluster}:
 *
 * <pre>{@code
 * @SimulationTest(schedules = 1000)
 * void noCountIsLost(Schedule schedule) throws Exception {
 *     new SimulatedCluster(4, schedule).prepared(ct -> ...).run(ct -> ...);
 * }
 * }</pre>
 *
 * <p>By default the schedules are a {@link dev.remus.simulation.ScheduleMix#DELAYS mix}: several schedulers, and in
 * most runs late requests, pauses or skewed clocks. No operation fails. Lanes that break and nodes that die are for a
 * second test, which names these {@link #faults} and allows for operations that fail.
 *
 * <p>Seeds are new in every build; {@code -Dremus.firstSeed=N} fixes them, for a build that always does the same. A
 * failure names the seed, and {@code -Dremus.seed=N} runs that schedule alone; {@code -Dremus.schedules=N} sets the
 * number of schedules of all such tests. With a seed, {@code -Dremus.trace=true} prints each step of the schedule, with
 * the words that it read or changed; of a very long one, the last steps. A failing schedule always runs once more, and
 * these steps are written to a file with all operations, and to a page that plays them in a browser. The failure names
 * both: in {@code target/remus-findings}, with Gradle {@code build/remus-findings}, or in the folder of {@code
 * -Dremus.findings=FOLDER}.
 *
 * <p>It may annotate another annotation, which then stands for it with these values.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(SimulationExtension.class)
@SuppressWarnings("exports") // only JUnit uses the extension
public @interface SimulationTest {
    /** The largest number of schedules. */
    int schedules() default 500;

    /** The choice of the thread that goes on at each step. */
    SchedulerKind scheduler() default SchedulerKind.MIX;

    /** The largest number of preemptions of a schedule in an exhaustive search; without a bound by default. */
    int preemptions() default SchedulerKind.ANY_NUMBER;

    /** The faults that may happen. If none is named, those of the {@link #scheduler}: only the mix has some. */
    Fault[] faults() default {};
}
