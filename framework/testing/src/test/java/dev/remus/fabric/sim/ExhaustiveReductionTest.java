// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.Environment;
import dev.remus.fabric.sim.LitmusProgram.Request;
import dev.remus.fabric.sim.LitmusProgram.Step;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A search with reduction plays every outcome that one without plays, for random small programs. {@code
 * -Dreduction.programs=1000 -Dreduction.most=100000} compares more and longer ones.
 */
@Tag("any-jdk")
class ExhaustiveReductionTest {
    private static final int PROGRAMS = Integer.getInteger("reduction.programs", 60);
    private static final int MOST_OF_SIX = 10_000;
    private static final int MOST = Integer.getInteger("reduction.most", 1_000);

    @Test
    void aReducedSearchPlaysEveryOutcome() {
        int compared = 0;
        long all = 0;
        long reduced = 0;
        long careful = 0;
        for (int seed = 0; seed < PROGRAMS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LitmusProgram program = program(random);
            Set<Weakness> weaknesses = weaknesses(random);
            ExhaustiveSearch everything = new ExhaustiveSearch(Integer.MAX_VALUE);
            Set<String> outcomes = program.outcomes(everything, true, weaknesses, MOST);
            if (everything.hasNext()) {
                continue; // too long
            }
            ExhaustiveSearch few = new ExhaustiveSearch();
            assertThat(program.outcomes(few, false, weaknesses, MOST))
                    .as("%d: %s %s", seed, program, weaknesses)
                    .isEqualTo(outcomes);
            ExhaustiveSearch more = new ExhaustiveSearch();
            assertThat(program.outcomes(more, true, weaknesses, MOST))
                    .as("%d: %s %s", seed, program, weaknesses)
                    .isEqualTo(outcomes);
            compared++;
            all += everything.runs();
            reduced += few.runs();
            careful += more.runs();
        }
        assertThat(compared).isGreaterThan(PROGRAMS / 4);
        assertThat(careful).isLessThan(all / 5);
        assertThat(reduced).isLessThan(careful);
    }

    @Test
    void twoThreadsOfThreeOperationsAreExhausted() {
        Step addition = LitmusProgram.chain(LitmusProgram.add('x', 1));
        LitmusProgram program =
                new LitmusProgram().thread(addition, addition, addition).thread(addition, addition, addition);
        ExhaustiveSearch search = new ExhaustiveSearch();
        Set<String> outcomes = program.outcomes(search, true, EnumSet.allOf(Weakness.class), MOST_OF_SIX);
        assertThat(search.hasNext()).isFalse();
        assertThat(search.bounds()).isEmpty();
        assertThat(outcomes).hasSize(20).contains("0 1 2 3 4 5", "1 3 5 0 2 4"); // 6 over 3
    }

    @Test
    void aLoopOfPollsIsBoundedAndEnds() {
        ExhaustiveSearch search = new ExhaustiveSearch();
        Set<String> seen = new TreeSet<>();
        while (search.hasNext()) {
            Simulator simulator = new Simulator(0, search.next(), Set.of());
            int[] shared = new int[2];
            simulator.startTogether(2).run(() -> {
                Environment.Task[] tasks = new Environment.Task[2];
                for (int i = 0; i < tasks.length; i++) {
                    int number = i;
                    tasks[i] = simulator.start("thread-" + i, false, () -> {
                        simulator.expose(number);
                        while (number == 0 && shared[0] == 0) {
                            shared[1]++;
                            simulator.newPauses().pause(shared[1], Long.MAX_VALUE);
                        }
                        shared[0] = 1;
                        simulator.shelter();
                    });
                }
                try {
                    tasks[0].join();
                    tasks[1].join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            seen.add(shared[1] + " polls");
        }
        assertThat(seen).containsExactly("0 polls", "1 polls", "2 polls");
        assertThat(search.bounds()).containsExactly(Bound.POLLS);
    }

    private static Set<Weakness> weaknesses(SplittableRandom random) {
        Set<Weakness> some = EnumSet.allOf(Weakness.class);
        some.removeIf(weakness -> random.nextInt(3) == 0);
        return some;
    }

    private static LitmusProgram program(SplittableRandom random) {
        LitmusProgram program = new LitmusProgram().showing("xy");
        if (random.nextBoolean()) {
            program.onTwoNodes();
        }
        int requests = 2 + random.nextInt(3);
        int first = 1 + random.nextInt(requests - 1);
        program.thread(steps(random, first)).thread(steps(random, requests - first));
        if (requests == 2 && random.nextBoolean()) {
            program.thread(steps(random, 1));
        }
        return program;
    }

    private static Step[] steps(SplittableRandom random, int count) {
        Step[] steps = new Step[count];
        Arrays.setAll(steps, i -> step(random));
        return steps;
    }

    private static Step step(SplittableRandom random) {
        char word = random.nextBoolean() ? 'x' : 'y';
        Step step = random.nextInt(4) == 0
                ? LitmusProgram.chain(request(random, word), request(random, word))
                : LitmusProgram.chain(request(random, word));
        step = random.nextInt(3) == 0 ? step.posted() : step;
        return random.nextInt(4) == 0 ? step.onLane(1) : step;
    }

    private static Request request(SplittableRandom random, char word) {
        return switch (random.nextInt(6)) {
            case 0 -> LitmusProgram.write(word, 1 + random.nextInt(3));
            case 1 -> LitmusProgram.add(word, 1);
            case 2 -> LitmusProgram.swap(word, random.nextInt(2), 5);
            case 3 -> LitmusProgram.writeBoth(word, 7, 8);
            case 4 -> LitmusProgram.readBoth(word);
            default -> LitmusProgram.read(word);
        };
    }
}
