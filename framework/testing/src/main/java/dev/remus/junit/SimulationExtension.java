package dev.remus.junit;

import dev.remus.fabric.sim.ExhaustiveSearch;
import dev.remus.fabric.sim.Simulator;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import java.lang.reflect.Method;
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

    /** The most characters of a trace: a run that is stuck has millions of steps. */
    private static final int MAX_TRACED = 1 << 22;

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
            Schedule plain = schedules.next();
            if (test.faults().length > 0) {
                plain = plain.withoutFaults().withFaults(Set.of(test.faults()));
            }
            Schedule schedule = traced ? plain.observedBy(simulator -> simulators.add(simulator.traced())) : plain;
            try {
                ReflectionSupport.invokeMethod(
                        method.getExecutable(),
                        method.getTarget().orElse(null),
                        method.getArguments().stream()
                                .map(argument -> argument instanceof Schedule ? schedule : argument)
                                .toArray());
            } catch (TestAbortedException e) {
                throw e; // a failed assumption aborts the test
            } catch (Exception | AssertionError e) {
                throw failure(new Finding(schedule.seed(), e), number, test);
            } finally {
                simulators.forEach(simulator -> System.out.print(end(simulator.trace(), MAX_TRACED)));
            }
        }
        if (isExhaustive) {
            List<String> leftOut = search.leftOut();
            String result = leftOut.isEmpty() ? "complete" : "not complete: " + String.join("; ", leftOut);
            context.publishReportEntry("exhaustive search", search.runs() + " schedules, " + result);
        }
    }

    /** The last lines of a text, without the others if it is longer than {@code most}. */
    static String end(String text, int most) {
        int cut = text.length() - most;
        return cut <= 0 ? text : "...\n" + text.substring(text.indexOf('\n', cut) + 1);
    }

    private static AssertionError failure(Finding finding, int number, SimulationTest test) {
        String which = test.scheduler() == SchedulerKind.EXHAUSTIVE
                ? "schedule " + number + " of the exhaustive search fails, in every run"
                : "schedule " + number + " fails, with seed " + finding.seed() + "; -D" + SEED + "=" + finding.seed()
                        + " runs it alone, and -D" + TRACE + "=true prints its steps";
        return new AssertionError(which + "\n" + finding.describe(), finding.cause());
    }
}
