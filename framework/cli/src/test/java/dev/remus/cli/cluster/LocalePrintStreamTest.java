// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LocalePrintStreamTest {
    private static String printed(Charset charset, Consumer<LocalePrintStream> program) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        LocalePrintStream stream = new LocalePrintStream(bytes, charset);
        program.accept(stream);
        stream.flush();
        return bytes.toString(charset);
    }

    @Test
    void everyWayToPrintSpellsWhatTheCharacterSetLacks() {
        assertThat(printed(StandardCharsets.US_ASCII, out -> {
                    out.print("2 µs ");
                    out.print('→');
                    out.print(new char[] {' ', '±'});
                    out.println((Object) "1");
                    out.printf(Locale.ROOT, "%d µs%n", 3);
                    out.append("…").append("│", 0, 1).append('┐');
                    out.println("─┘ ◄──");
                }))
                .isEqualTo("2 us -> +-1\n3 us\n...|+-+ <--\n");
    }

    @Test
    void aCharacterThatTheCharacterSetHasIsPrinted() {
        String text = "±1 µs ─┐";
        assertThat(printed(StandardCharsets.UTF_8, out -> out.print(text))).isEqualTo(text);
        assertThat(printed(StandardCharsets.ISO_8859_1, out -> out.print(text))).isEqualTo("±1 µs -+");
    }

    @Test
    void aCharacterWithoutASpellingIsAQuestionMark() {
        assertThat(printed(StandardCharsets.US_ASCII, out -> out.print("key \u5b57, \ud83d\ude00")))
                .isEqualTo("key ?, ?");
    }

    @Test
    void nullIsPrintedAsAWord() {
        assertThat(printed(StandardCharsets.US_ASCII, out -> {
                    out.print((String) null);
                    out.println((Object) null);
                }))
                .isEqualTo("nullnull\n");
    }
}
