// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableFigureTest {
    private static final RunTable TABLE = new RunTable(List.of(
            Map.of("threads", "10", "policy", "RAND", "throughput", "300"),
            Map.of("threads", "2", "policy", "RAND", "throughput", "100"),
            Map.of("threads", "2", "policy", "RAND", "throughput", "104"),
            Map.of("threads", "2", "policy", "FIXED", "throughput", "90"),
            Map.of("threads", "2", "policy", "FIXED")));

    @TempDir
    private Path folder;

    @Test
    void aPointHasTheMeanAndStandardDeviationOfRunsWithTheSameValues() {
        Series series = TableFigure.of(TABLE, "threads", "throughput", Optional.of("policy"))
                .content()
                .series()
                .get(1);
        assertThat(series.name()).isEqualTo("policy RAND");
        List<Point> points = series.points();
        assertThat(points).extracting(Point::x).containsExactly("2", "10");
        assertThat(points.get(0).mean()).isEqualTo(102);
        assertThat(points.get(0).deviation()).isCloseTo(Math.sqrt(8), within(1e-9));
        assertThat(points.get(1)).isEqualTo(new Point("10", 300, 0, 1));
    }

    @Test
    void withoutAColumnForLinesThereIsOne() {
        assertThat(TableFigure.of(TABLE, "threads", "throughput", Optional.empty())
                        .content()
                        .series())
                .extracting(Series::name)
                .containsExactly("throughput");
    }

    @Test
    void aMissingColumnIsNamedTogetherWithThoseThatExist() {
        assertThatThrownBy(() -> TableFigure.of(TABLE, "thread", "throughput", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'thread'")
                .hasMessageContaining("threads");
    }

    @Test
    void wordsCannotBeOnTheVerticalAxis() {
        assertThatThrownBy(() -> TableFigure.of(TABLE, "threads", "policy", Optional.empty()))
                .hasMessageContaining("'policy' holds no numbers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "policy"})
    void numbersAndWordsAreDrawn(String x) throws Exception {
        Path file = folder.resolve("picture.png");
        TableFigure.of(TABLE, x, "throughput", Optional.of("threads")).write(file);
        assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(2 * FigureSize.DEFAULT.width());
    }
}
