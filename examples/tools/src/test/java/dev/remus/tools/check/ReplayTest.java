// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Weakness;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.Size;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
    /** A scenario that fails in all schedules with odd seeds. */
    private static final NamedScenario ODD = new NamedScenario("odd", "", new Size(2, 1, 0), size -> schedule -> {
        new SimulatedCluster(size.threads(), schedule).run(ct -> {});
        if (schedule.seed() % 2 != 0) {
            throw new AssertionError("odd");
        }
    });

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private boolean replay(long seed) throws IOException {
        return replay(seed, Optional.empty());
    }

    private boolean replay(long seed, Optional<Path> page) throws IOException {
        SearchPlan plan = new SearchPlan(
                ODD,
                ODD.defaultSize(),
                new SearchConditions(SchedulerKind.RANDOM, 2, EnumSet.noneOf(Weakness.class), Optional.empty()));
        return new Replay(plan, false, page, new FindingsFolder(folder.resolve("findings")))
                .run(seed, new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @Test
    void aFailureLeavesFilesWhoseNamesArePrinted() throws IOException {
        assertThat(replay(7)).isFalse();
        Path file = folder.resolve("findings").resolve("odd-7.txt");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("odd: seed 7 fails")
                .endsWith("all operations and steps: " + file + "\nto watch them, open "
                        + folder.resolve("findings").resolve("odd-7.html") + "\n");
        assertThat(file).content(UTF_8).startsWith("Replay: ./remus check odd ").contains("The steps:");
    }

    @Test
    void aCleanScheduleLeavesNoFile() throws IOException {
        assertThat(replay(8)).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("odd: seed 8 is clean");
        assertThat(folder.resolve("findings")).doesNotExist();
    }

    @Test
    void aPagePlaysACleanScheduleToo() throws IOException {
        Path page = folder.resolve("schedule.html");
        assertThat(replay(8, Optional.of(page))).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("to watch it, open " + page + "\n");
        assertThat(page)
                .content(UTF_8)
                .contains("<title>odd, seed 8</title>")
                .contains("./remus check odd --threads 2 --ops 1 --scheduler random --weaknesses none --replay 8")
                .contains("\"violation\":-1");
    }
}
