// SPDX-License-Identifier: Apache-2.0
package dev.remus.junit;

import dev.remus.fabric.sim.ExhaustiveSearch;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Simulator;
import dev.remus.simulation.Finding;
import dev.remus.simulation.FindingFile;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/** Runs the test methods that are annotated with {@link SimulationTest}. */
final class SimulationExtension implements ParameterResolver, InvocationInterceptor {
    private static final String SEED = "remus.seed";
    private static final String FIRST_SEED = "remus.firstSeed";
    private static final String SCHEDULES = "remus.schedules";
    private static final String TRACE = "remus.trace";
    private static final String FINDINGS = "remus.findings";

    /** The bound of seeds, which are short enough to type. */
    private static final int SEEDS = 1 << 30;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Schedule.class;
    }

    /** Returns a placeholder, which {@link #interceptTestMethod} replaces by each schedule. */
    @Override
    public Schedule resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Schedule.random(0);
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context) {
        invocation.skip(); // JUnit allows only one call of it
        SimulationTest test = AnnotationSupport.findAnnotation(method.getExecutable(), SimulationTest.class)
                .orElseThrow();
        Optional<Long> replay = Optional.ofNullable(Long.getLong(SEED));
        if (test.scheduler() == SchedulerKind.EXHAUSTIVE) {
            replay = Optional.empty(); // always the same schedules in the same order
        }
        long first = replay.orElseGet(
                () -> Long.getLong(FIRST_SEED, ThreadLocalRandom.current().nextInt(SEEDS)));
        int most = replay.isPresent() ? 1 : Integer.getInteger(SCHEDULES, test.schedules());
        ExhaustiveSearch search = SchedulerKind.search(test.preemptions()); // used if the scheduler is exhaustive
        boolean isExhaustive = test.scheduler() == SchedulerKind.EXHAUSTIVE;
        Iterator<Schedule> schedules = isExhaustive
                ? SchedulerKind.schedules(search)
                : test.scheduler().schedules(first, 0);
        boolean traced = replay.isPresent() && Boolean.getBoolean(TRACE);
        for (int number = 1; number <= most && schedules.hasNext(); number++) {
            List<Simulator> simulators = new ArrayList<>();
            Schedule plain = with(test.faults(), schedules.next());
            Schedule schedule = traced ? plain.observedBy(simulator -> simulators.add(simulator.traced())) : plain;
            try {
                invoke(method, schedule);
            } catch (TestAbortedException e) {
                throw e; // a failed assumption aborts the test
            } catch (Exception | AssertionError e) {
                Finding finding = new Finding(schedule.seed(), e);
                throw failure(finding, number, test, file(finding, number, test, method));
            } finally {
                simulators.forEach(simulator -> System.out.print(simulator.trace()));
            }
        }
        if (isExhaustive) {
            List<String> leftOut = search.leftOut();
            String result = leftOut.isEmpty() ? "complete" : "not complete: " + String.join("; ", leftOut);
            context.publishReportEntry("exhaustive search", search.runs() + " schedules, " + result);
        }
    }

    private static Schedule with(Fault[] faults, Schedule schedule) {
        return faults.length == 0 ? schedule : schedule.withoutFaults().withFaults(Set.of(faults));
    }

    private static void invoke(ReflectiveInvocationContext<Method> method, Schedule schedule) {
        ReflectionSupport.invokeMethod(
                method.getExecutable(),
                method.getTarget().orElse(null),
                method.getArguments().stream()
                        .map(argument -> argument instanceof Schedule ? schedule : argument)
                        .toArray());
    }

    /** Writes the file of a finding, and returns a sentence about it. */
    private static String file(
            Finding finding, int number, SimulationTest test, ReflectiveInvocationContext<Method> method) {
        Iterator<Schedule> schedules = test.scheduler().schedules(finding.seed(), test.preemptions());
        boolean isExhaustive = test.scheduler() == SchedulerKind.EXHAUSTIVE;
        for (int i = 1; isExhaustive && i < number; i++) {
            invoke(method, with(test.faults(), schedules.next())); // was clean
        }
        String name = method.getTargetClass().getSimpleName() + "."
                + method.getExecutable().getName();
        return FindingFile.write(
                        folder(),
                        name,
                        finding,
                        isExhaustive
                                ? "schedule " + number + " of each run of " + name
                                : "-Dtest=" + name.replace('.', '#') + " -D" + SEED + "=" + finding.seed(),
                        schedule -> invoke(method, schedule),
                        with(test.faults(), schedules.next()))
                .sentence();
    }

    /** The folder of a build's results, of Gradle if the project has a script for it, otherwise of Maven. */
    private static Path folder() {
        boolean isGradle = Files.exists(Path.of("build.gradle")) || Files.exists(Path.of("build.gradle.kts"));
        return Path.of(System.getProperty(FINDINGS, (isGradle ? "build" : "target") + "/remus-findings"));
    }

    private static AssertionError failure(Finding finding, int number, SimulationTest test, String file) {
        String which = test.scheduler() == SchedulerKind.EXHAUSTIVE
                ? "schedule " + number + " of the exhaustive search fails, in every run"
                : "schedule " + number + " fails, with seed " + finding.seed() + "; -D" + SEED + "=" + finding.seed()
                        + " runs it alone, and -D" + TRACE + "=true prints its steps";
        return finding.error(which + "\n" + finding.describe().stripTrailing() + "\n" + file);
    }
}
