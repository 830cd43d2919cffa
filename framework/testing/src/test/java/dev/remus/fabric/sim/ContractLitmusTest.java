// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static dev.remus.fabric.sim.LitmusProgram.add;
import static dev.remus.fabric.sim.LitmusProgram.chain;
import static dev.remus.fabric.sim.LitmusProgram.read;
import static dev.remus.fabric.sim.LitmusProgram.readBoth;
import static dev.remus.fabric.sim.LitmusProgram.swap;
import static dev.remus.fabric.sim.LitmusProgram.write;
import static dev.remus.fabric.sim.LitmusProgram.writeBoth;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Small programs, each with all outcomes that the fabric contract allows, listed by hand. The simulator plays all of
 * them, and no other. A WRITE at the end of an awaited chain is placed when the wait ends, a posted one at any later
 * time.
 */
class ContractLitmusTest {
    /** The simulator plays these outcomes, and no other. */
    private static void plays(LitmusProgram program, String... outcomes) {
        assertThat(program.outcomes()).isEqualTo(Set.of(outcomes));
    }

    /** All combinations of so many values of 0 or 1. */
    private static Set<String> bits(int count) {
        Set<String> all = new TreeSet<>();
        for (int bits = 0; bits < 1 << count; bits++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < count; i++) {
                text.append(i == 0 ? "" : " ").append(bits >> i & 1);
            }
            all.add(text.toString());
        }
        return all;
    }

    private static void playsAllBut(LitmusProgram program, int bits, String... outcomes) {
        Set<String> expected = bits(bits);
        expected.removeAll(Set.of(outcomes));
        assertThat(program.outcomes()).isEqualTo(expected);
    }

    /** Two threads that each write one word and then read the other: can both miss the other's WRITE? */
    @Nested
    class StoreBuffering {
        @Test
        void noThreadMissesAPlacedWrite() {
            playsAllBut(
                    new LitmusProgram()
                            .thread(chain(write('x', 1)), chain(read('y')))
                            .thread(chain(write('y', 1)), chain(read('x'))),
                    2,
                    "0 0");
        }

        @Test
        void norOnTwoNodes() {
            playsAllBut(
                    new LitmusProgram()
                            .onTwoNodes()
                            .thread(chain(write('x', 1)), chain(read('y')))
                            .thread(chain(write('y', 1)), chain(read('x'))),
                    2,
                    "0 0");
        }

        @Test
        void aReadOnTheSameLaneWaitsUntilThePostedWriteIsPlaced() {
            playsAllBut(
                    new LitmusProgram()
                            .thread(chain(write('x', 1)).posted(), chain(read('y')))
                            .thread(chain(write('y', 1)).posted(), chain(read('x'))),
                    2,
                    "0 0");
        }

        @Test
        void bothMissAWriteThatWasPostedOnAnotherLane() {
            playsAllBut(
                    new LitmusProgram()
                            .thread(chain(write('x', 1)).posted().onLane(1), chain(read('y')))
                            .thread(chain(write('y', 1)).posted().onLane(1), chain(read('x'))),
                    2);
        }
    }

    /** One thread writes a message and then a flag, the other reads the flag and then the message. */
    @Nested
    class MessagePassing {
        @Test
        void aThreadThatSeesTheFlagSeesAPlacedMessage() {
            playsAllBut(
                    new LitmusProgram()
                            .onTwoNodes()
                            .thread(chain(write('x', 1)), chain(write('y', 1)))
                            .thread(chain(read('y')), chain(read('x'))),
                    2,
                    "1 0");
        }

        @Test
        void postedWritesOfOneLaneBecomeVisibleInOrder() {
            playsAllBut(
                    new LitmusProgram()
                            .thread(
                                    chain(write('x', 1)).posted(),
                                    chain(write('y', 1)).posted())
                            .thread(chain(read('y')), chain(read('x'))),
                    2,
                    "1 0");
        }

        @Test
        void postedWritesOfTwoLanesDoNot() {
            playsAllBut(
                    new LitmusProgram()
                            .thread(
                                    chain(write('x', 1)).posted(),
                                    chain(write('y', 1)).posted().onLane(1))
                            .thread(chain(read('y')), chain(read('x'))),
                    2);
        }

        @Test
        void readsOfOneChainAreExecutedInOrder() {
            playsAllBut(
                    new LitmusProgram()
                            .thread(chain(write('x', 1)), chain(write('y', 1)))
                            .thread(chain(read('y'), read('x'))),
                    2,
                    "1 0");
        }

        @Test
        void readsOfTwoLanesAreNot() {
            playsAllBut(
                    new LitmusProgram()
                            .thread(chain(write('x', 1)), chain(write('y', 1)))
                            .thread(chain(read('y')).posted(), chain(read('x')).onLane(1)),
                    2);
        }
    }

    /** Two threads that each read one word and then write the other: can both see the other's WRITE? */
    @Nested
    class LoadBuffering {
        @Test
        void noAwaitedReadSeesALaterWrite() {
            playsAllBut(
                    new LitmusProgram()
                            .thread(chain(read('x')), chain(write('y', 1)))
                            .thread(chain(read('y')), chain(write('x', 1))),
                    2,
                    "1 1");
        }

        @Test
        void aWriteOvertakesAReadOfItsChain() {
            playsAllBut(
                    new LitmusProgram().thread(chain(read('x'), write('y', 1))).thread(chain(read('y'), write('x', 1))),
                    2);
        }

        @Test
        void aFencedWriteDoesNot() {
            playsAllBut(
                    new LitmusProgram()
                            .thread(chain(read('x'), write('y', 1).fence()))
                            .thread(chain(read('y'), write('x', 1).fence())),
                    2,
                    "1 1");
        }
    }

    /** Two threads write a word each, and two read both: do they agree on the order? */
    @Nested
    class IndependentReadsOfIndependentWrites {
        @Test
        void readersOnTwoNodesAgreeOnTheOrderOfPostedWrites() {
            playsAllBut(
                    new LitmusProgram()
                            .onTwoNodes()
                            .thread(chain(write('x', 1)).posted())
                            .thread(chain(write('y', 1)).posted())
                            .thread(chain(read('x')), chain(read('y')))
                            .thread(chain(read('y')), chain(read('x'))),
                    4,
                    "1 0 1 0");
        }
    }

    /** Several accesses to one word. */
    @Nested
    class Coherence {
        @Test
        void postedWritesOfOneLaneAreSeenInOrder() {
            plays(
                    new LitmusProgram()
                            .thread(
                                    chain(write('x', 1)).posted(),
                                    chain(write('x', 2)).posted())
                            .thread(chain(read('x')), chain(read('x')))
                            .showing("x"),
                    "0 0 x=2",
                    "0 1 x=2",
                    "0 2 x=2",
                    "1 1 x=2",
                    "1 2 x=2",
                    "2 2 x=2");
        }

        @Test
        void thoseOfTwoLanesInAnyOrderButNeverGone() {
            plays(
                    new LitmusProgram()
                            .thread(
                                    chain(write('x', 1)).posted(),
                                    chain(write('x', 2)).posted().onLane(1))
                            .thread(chain(read('x')), chain(read('x')))
                            .showing("x"),
                    "0 0 x=1",
                    "0 0 x=2",
                    "0 1 x=1",
                    "0 1 x=2",
                    "0 2 x=1",
                    "0 2 x=2",
                    "1 1 x=1",
                    "1 1 x=2",
                    "1 2 x=2",
                    "2 1 x=1",
                    "2 2 x=1",
                    "2 2 x=2");
        }

        @Test
        void aThreadReadsItsOwnPlacedWriteOrALaterOne() {
            plays(
                    new LitmusProgram()
                            .thread(chain(write('x', 1)), chain(read('x')))
                            .thread(chain(write('x', 2))),
                    "1",
                    "2");
        }

        @Test
        void onAnotherLaneItMayMissItsOwnPostedWrite() {
            plays(
                    new LitmusProgram()
                            .thread(
                                    chain(write('x', 1)).posted(),
                                    chain(read('x')).onLane(1)),
                    "0",
                    "1");
        }
    }

    /** COMPARE_AND_SWAP and FETCH_AND_ADD on a word that others change. */
    @Nested
    class Atomics {
        @Test
        void twoAdditionsAreInOneOrder() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1)))
                            .thread(chain(add('x', 2)))
                            .showing("x"),
                    "0 1 x=3",
                    "2 0 x=3");
        }

        @Test
        void oneOfTwoSwapsFails() {
            plays(
                    new LitmusProgram()
                            .thread(chain(swap('x', 0, 1)))
                            .thread(chain(swap('x', 0, 2)))
                            .showing("x"),
                    "0 1 x=1",
                    "2 0 x=2");
        }

        @Test
        void anAdditionAndASwapAreInOneOrder() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1)))
                            .thread(chain(swap('x', 0, 7)))
                            .showing("x"),
                    "0 1 x=1",
                    "7 0 x=8");
        }

        @Test
        void aWriteIsLostInTheMiddleOfAnAddition() {
            plays(
                    new LitmusProgram()
                            .thread(chain(add('x', 1)))
                            .thread(chain(write('x', 10)))
                            .showing("x"),
                    "0 x=10", // behind it
                    "0 x=1", // in the middle
                    "10 x=11");
        }

        @Test
        void aWriteIsLostInTheMiddleOfASwap() {
            plays(
                    new LitmusProgram()
                            .thread(chain(swap('x', 0, 7)))
                            .thread(chain(write('x', 10)))
                            .showing("x"),
                    "0 x=10",
                    "0 x=7",
                    "10 x=10");
        }

        @Test
        void aWriteIsLostInTheMiddleOfASwapThatFails() {
            plays(
                    new LitmusProgram()
                            .thread(chain(swap('x', 5, 6)))
                            .thread(chain(write('x', 10)))
                            .showing("x"),
                    "0 x=10",
                    "0 x=0", // the old value was written back
                    "10 x=10");
        }

        @Test
        void anAdditionOvertakesAReadOfItsChain() {
            plays(
                    new LitmusProgram().thread(chain(read('x'), add('x', 1))).thread(chain(add('x', 10))),
                    "0 0 1", // the additions in this order, and the READ before, between or behind them
                    "1 0 1",
                    "11 0 1",
                    "0 10 0", // the additions in the other order
                    "10 10 0",
                    "11 10 0");
        }
    }

    /** Two words of one transfer. */
    @Nested
    class TornTransfers {
        @Test
        void aReadSeesAnyPartOfAWrite() {
            plays(
                    new LitmusProgram().thread(chain(writeBoth('x', 1, 1))).thread(chain(readBoth('x'))),
                    "0 0",
                    "0 1",
                    "1 0",
                    "1 1");
        }

        @Test
        void aSecondReadSeesNoLess() {
            plays(
                    new LitmusProgram()
                            .thread(chain(writeBoth('x', 1, 1)))
                            .thread(chain(readBoth('x')), chain(readBoth('x'))),
                    "0 0 0 0",
                    "0 0 0 1",
                    "0 0 1 0",
                    "0 0 1 1",
                    "0 1 0 1",
                    "0 1 1 1",
                    "1 0 1 0",
                    "1 0 1 1",
                    "1 1 1 1");
        }
    }
}
