// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import static dev.remus.check.Register.read;
import static dev.remus.check.Register.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private final Recorder<Register.Access, Integer> recorder = new Recorder<>();

    private String drawn(Timeline timeline) {
        return new LinearizabilityChecker<>(new Register())
                .check(recorder.history())
                .draw(timeline);
    }

    @Test
    void aRejectedHistoryIsDrawnWithAColumnForEachThreadAndAnArrowWhereItFails() {
        int write = recorder.call(0, write(3));
        int read = recorder.call(2, read());
        recorder.returned(write, null);
        int late = recorder.call(0, read());
        recorder.returned(read, 3);
        recorder.returned(late, 0);
        assertThat(drawn(new Timeline())).isEqualTo("""
                thread 0       thread 2
                write(3) ─┐
                          │    read()   ─┐
                  null   ─┘              │
                read()   ─┐              │
                          │      3      ─┘
                  0      ─┘ ◄──
                not linearizable: no order of the operations explains that read() by thread 0 returned 0; all that \
                returned before it can be explained
                """);
    }

    @Test
    void pendingOperationsEndInADottedLine() {
        recorder.call(0, write(3));
        recorder.record(1, read(), () -> 3);
        recorder.record(0, read(), () -> 3);
        recorder.call(1, read());
        assertThat(drawn(new Timeline().withAscii(true))).isEqualTo("""
                thread 0        thread 1
                write(3)  -+
                           |    read()    -+
                           |      3       -+
                  pending ~+
                read()    -+
                  3       -+
                                read()    -+
                                  pending ~+
                what is pending may have happened at any moment after its call, or not at all
                linearizable: 4 operations, 7 steps
                """);
    }

    @Test
    void withoutRoomForColumnsThereIsOneLineForEachCallAndReturn() {
        IntStream.range(0, 4).forEach(t -> recorder.call(t, write(t)));
        recorder.record(4, read(), () -> 17);
        assertThat(drawn(new Timeline(40, false))).isEqualTo("""
                thread 0  write(0) ...
                thread 1  write(1) ...
                thread 2  write(2) ...
                thread 3  write(3) ...
                thread 4  read() ...
                thread 4  read() → 17 ◄──
                thread 0  write(0) → pending
                thread 1  write(1) → pending
                thread 2  write(2) → pending
                thread 3  write(3) → pending
                what is pending may have happened at any moment after its call, or not at all
                not linearizable: no order of the operations explains that read() by thread 4 returned 17; all that \
                returned before it can be explained
                """);
    }

    @Test
    void longTextsAreCutToTheWidth() {
        Recorder<String, String> wordy = new Recorder<>();
        wordy.record(0, "a very long operation that nobody wants to read", () -> "yes");
        wordy.record(1, "op", () -> "a result that is just as long and nobody reads either");
        String drawn = new Timeline(40, false).draw(wordy.history());
        assertThat(drawn).isEqualTo("""
                thread 0            thread 1
                a very lon... ─┐
                  yes         ─┘
                                    op            ─┐
                                      a result... ─┘
                """);
        assertThat(drawn.lines()).allMatch(line -> line.length() <= 40);
    }

    @Test
    void aThreadWithSeveralOperationsInFlightIsShownLineByLine() {
        int first = recorder.call(0, write(1));
        int second = recorder.call(0, write(2));
        recorder.returned(first, null);
        recorder.returned(second, null);
        assertThat(new Timeline().draw(recorder.history())).isEqualTo("""
                thread 0  write(1) ...
                thread 0  write(2) ...
                thread 0  write(1) → null
                thread 0  write(2) → null
                """);
    }

    @Test
    void theMessageOfAFailedTestIsInAsciiWhereTheLocaleCannotDrawLines() {
        String property = "stdout.encoding";
        String before = System.getProperty(property);
        try {
            System.setProperty(property, "ISO-8859-1");
            assertThat(Timeline.forMessages().ascii()).isTrue();
            System.setProperty(property, "UTF-8");
            assertThat(Timeline.forMessages().ascii()).isFalse();
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }

    @Test
    void aTimelineNeedsSomeRoom() {
        assertThatThrownBy(() -> new Timeline(39, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a timeline of 39 characters: needs at least 40");
    }
}
