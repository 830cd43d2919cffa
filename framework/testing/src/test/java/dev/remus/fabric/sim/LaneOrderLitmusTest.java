// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static dev.remus.fabric.sim.LitmusProgram.add;
import static dev.remus.fabric.sim.LitmusProgram.chain;
import static dev.remus.fabric.sim.LitmusProgram.read;
import static dev.remus.fabric.sim.LitmusProgram.swap;
import static dev.remus.fabric.sim.LitmusProgram.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The order of requests of one lane: small programs, each with all outcomes that the fabric contract allows, listed by
 * hand. As in {@link ContractLitmusTest}, the simulator plays all of them, and no other.
 */
class LaneOrderLitmusTest {
    private static void plays(LitmusProgram program, String... outcomes) {
        assertThat(program.outcomes()).isEqualTo(Set.of(outcomes));
    }

    /** Requests behind READs and atomics, with and without a fence. */
    @Nested
    class Fences {
        @Test
        void aReadMissesNothingThatIsFencedAndMaySeeWhatIsNot() {
            plays(new LitmusProgram().thread(chain(read('x'), write('x', 1))), "0", "1");
            plays(new LitmusProgram().thread(chain(read('x'), write('x', 1).fence())), "0");
            plays(new LitmusProgram().thread(chain(read('x'), add('x', 1))), "0 0", "1 0");
            plays(new LitmusProgram().thread(chain(read('x'), add('x', 1).fence())), "0 0");
            plays(new LitmusProgram().thread(chain(read('x'), swap('x', 0, 1))), "0 0", "1 0");
            plays(new LitmusProgram().thread(chain(read('x'), swap('x', 0, 1).fence())), "0 0");
        }

        @Test
        void laterRequestsDoNotOvertakeAFencedOne() {
            plays(new LitmusProgram().thread(chain(read('x'), write('y', 1).fence(), write('x', 1))), "0");
            plays(new LitmusProgram().thread(chain(read('x'), write('y', 1), write('x', 1))), "0", "1");
        }

        @Test
        void aWriteIsExecutedBehindAnAtomicIfItIsFencedAndBeforeItOrInsideItIfNot() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1), write('x', 5).fence()))
                            .showing("x"),
                    "0 x=5");
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1), write('x', 5)))
                            .showing("x"),
                    "0 x=5",
                    "0 x=1", // the WRITE comes between the halves of the addition
                    "5 x=6");
        }

        @Test
        void anAtomicIsExecutedBehindAnotherIfItIsFencedAndBeforeItIfNotButNeverInsideIt() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1), add('x', 2).fence()))
                            .showing("x"),
                    "0 1 x=3");
            plays(new LitmusProgram().thread(chain(add('x', 1), add('x', 2))).showing("x"), "0 1 x=3", "2 0 x=3");
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1), add('x', 2)))
                            .thread(chain(add('x', 4)))
                            .showing("x"),
                    "0 1 3 x=7",
                    "0 5 1 x=7",
                    "4 5 0 x=7",
                    "2 0 3 x=7",
                    "6 0 2 x=7",
                    "6 4 0 x=7");
        }

        @Test
        void aFencedRequestWaitsForAllAtomicsBeforeIt() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1), add('y', 1), add('x', 2).fence())),
                    "0 0 1");
            plays(new LitmusProgram().thread(chain(add('x', 1), add('y', 1), add('x', 2))), "0 0 1", "2 0 0");
        }

        @Test
        void aWriteOvertakesAnAtomicAndTheReadBehindIt() {
            plays(new LitmusProgram().thread(chain(add('y', 1), read('x'), write('x', 1))), "0 0", "0 1");
        }

        @Test
        void aReadOvertakesNothing() {
            plays(new LitmusProgram().thread(chain(write('x', 1), read('x'))), "1");
            plays(new LitmusProgram().thread(chain(add('x', 1), read('x'))), "0 1");
        }

        @Test
        void anAtomicOvertakesNoWrite() {
            plays(new LitmusProgram().thread(chain(write('x', 1), add('x', 1))).showing("x"), "1 x=2");
            plays(
                    new LitmusProgram()
                            .thread(chain(add('y', 1), write('x', 1), add('x', 1)))
                            .showing("xy"),
                    "0 1 x=2 y=1");
        }
    }

    /** Chains that nobody waits for. */
    @Nested
    class PostedChains {
        @Test
        void anAtomicIsSeenOnlyWithTheWriteBeforeIt() {
            plays(
                    new LitmusProgram()
                            .thread(chain(write('x', 1), swap('y', 0, 1)).posted())
                            .thread(chain(read('y')), chain(read('x'))),
                    "0 0 0",
                    "0 0 1",
                    "0 1 1");
        }

        @Test
        void aWriteIsSeenBeforeTheAtomicBeforeIt() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1), write('y', 1)).posted())
                            .thread(chain(read('y')), chain(read('x'))),
                    "0 0 0",
                    "0 0 1",
                    "0 1 0",
                    "0 1 1");
        }

        @Test
        void aFencedWriteIsSeenOnlyWithTheAtomicBeforeIt() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1), write('y', 1).fence()).posted())
                            .thread(chain(read('y')), chain(read('x'))),
                    "0 0 0",
                    "0 0 1",
                    "0 1 1");
        }

        @Test
        void twoOfThemWithAnAdditionAreInterleaved() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1), add('y', 1)).posted())
                            .thread(chain(add('y', 2), add('x', 2)).posted())
                            .showing("xy"),
                    "0 0 1 1 x=3 y=3", // the first thread is the first on both words
                    "2 2 0 0 x=3 y=3", // or the second is
                    "0 2 0 1 x=3 y=3", // each is the first on its first word
                    "2 0 1 0 x=3 y=3"); // or on its second, which overtakes
        }

        @Test
        void inTwoOfThemWithAFencedAdditionNoThreadIsTheFirstOnItsSecondWordOnly() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1), add('y', 1).fence()).posted())
                            .thread(chain(add('y', 2), add('x', 2).fence()).posted())
                            .showing("xy"),
                    "0 0 1 1 x=3 y=3",
                    "2 2 0 0 x=3 y=3",
                    "0 2 0 1 x=3 y=3");
        }
    }
}
