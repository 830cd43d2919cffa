// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever coroutines are made of, exactly one goes on at a time, and each from where it was. */
class CoroutinesTest {
    private static final int ROUNDS = 1_000;

    private static Coroutines coroutines(String kind) {
        if (kind.equals("threads")) {
            return new ThreadCoroutines();
        }
        assumeThat(ContinuationCoroutines.AVAILABLE)
                .as("this Java VM has no continuations, or was not told to export them")
                .isTrue();
        return new ContinuationCoroutines();
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "continuations"})
    void eachGoesOnWhereItWas(String kind) throws Exception {
        Coroutines coroutines = coroutines(kind);
        StringBuilder order = new StringBuilder();
        Coroutine[] all = new Coroutine[3];
        for (int i = 0; i < all.length; i++) {
            int number = i;
            all[i] = coroutines.create(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    order.append((char) ('a' + number));
                    all[(number + 1) % all.length].resume();
                    if (round < ROUNDS - 1 || number < all.length - 1) {
                        all[number].suspend();
                    }
                }
                if (number == all.length - 1) {
                    coroutines.stop();
                }
            });
        }
        coroutines.run(all[0]);
        assertThat(order.toString()).isEqualTo("abc".repeat(ROUNDS));
        for (int i = 0; i < all.length - 1; i++) {
            coroutines.finish(all[i]); // each is suspended for the last time
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "continuations"})
    void whereOneIsSuspendedCanBeAsked(String kind) throws Exception {
        Coroutines coroutines = coroutines(kind);
        Coroutine[] one = new Coroutine[1];
        one[0] = coroutines.create(() -> {
            coroutines.stop();
            one[0].suspend();
        });
        coroutines.run(one[0]);
        if (kind.equals("continuations")) { // a thread may still be on its way there
            assertThat(one[0].stackTrace())
                    .anyMatch(at -> at.getClassName().startsWith(CoroutinesTest.class.getName()));
        }
        coroutines.finish(one[0]);
    }

    @Test
    void theFastestKindIsChosen() {
        assertThat(FastestCoroutines.create().toString())
                .isEqualTo(
                        ContinuationCoroutines.AVAILABLE
                                ? "continuations"
                                : Runtime.version().feature() >= 21 ? "virtual threads" : "threads");
    }
}
