// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.tutorial.diagrams.Diagram;
import dev.remus.tutorial.diagrams.DrawDiagrams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The diagrams are drawn from their texts. */
class DiagramsTest {
    private static final Path FOLDER = Tree.TUTORIAL.resolve("diagrams");

    static List<Path> texts() throws IOException {
        return DrawDiagrams.texts(FOLDER);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aPictureIsDrawnFromItsText(Path text) throws IOException {
        String svg = Diagram.parse(Files.readString(text)).toSvg();
        if (Tree.UPDATE) {
            Files.writeString(DrawDiagrams.picture(text), svg);
        }
        assertThat(Files.readString(DrawDiagrams.picture(text)))
                .as("DrawDiagrams draws it again")
                .isEqualTo(svg);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aPictureHasATitleAndIsShownOnAPage(Path text) throws IOException {
        assertThat(Files.readString(text)).contains("\ntitle \"");
        StringBuilder pages = new StringBuilder();
        for (Path page : Tree.pages()) {
            pages.append(Files.readString(page));
        }
        assertThat(pages).contains("](diagrams/" + DrawDiagrams.picture(text).getFileName() + ")");
    }

    @Test
    void thereIsNoPictureWithoutAText() throws IOException {
        try (var files = Files.list(FOLDER)) {
            assertThat(files.filter(file -> file.toString().endsWith(".svg")))
                    .containsExactlyInAnyOrderElementsOf(
                            texts().stream().map(DrawDiagrams::picture).toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"circle 1 2 3", "box 1 2 3 4 huge \"a\"", "arrow 1 2 3", "text 1 2 above \"a\"", "box"})
    void aLineThatIsNoShapeIsRejected(String line) {
        assertThatThrownBy(() -> Diagram.parse("size 10 10\n" + line)).isInstanceOf(IllegalArgumentException.class);
    }
}
