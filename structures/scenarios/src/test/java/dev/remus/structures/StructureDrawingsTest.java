// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.WatchedRun;
import dev.remus.structures.spec.BufferedQueueScenario;
import dev.remus.structures.spec.HashMapScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.TreeScenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages that play schedules draw the structures by what these declare. */
@Tag("any-jdk")
class StructureDrawingsTest {
    @TempDir
    private Path folder;

    private String page(Scenario scenario) throws Exception {
        Path page = folder.resolve("page.html");
        WatchedRun.of(scenario, Schedule.random(3)).writePage(page, "title", "run it");
        return Files.readString(page);
    }

    @Test
    void theBlocksOfABufferedQueueAreARing() throws Exception {
        assertThat(page(BufferedQueueScenario.buffered(4, 6, 3)))
                .containsPattern(
                        "\"type\":\"Ring\",\"parent\":-1,\"element\":\"\",\"ring\":\\{\"cells\":3,\"positions\"")
                .containsPattern("\"name\":\"states\\[2]\"[^}]*\"cell\":2")
                .containsPattern("\"name\":\"items\\[2]\"[^}]*\"cell\":2");
    }

    @Test
    void theBlocksOfARelaxedQueueHaveTheirPositionsBesideThem() throws Exception {
        assertThat(page(BufferedQueueScenario.relaxed(4, 6, 3)))
                .containsPattern("\"name\":\"positions\\[2]\"[^}]*\"cell\":2");
    }

    @Test
    void theCellsOfAScalableQueueLeadToTheBlocksOfTheirItems() throws Exception {
        assertThat(page(PooledQueueScenario.scalable(4, 8, 2)))
                .containsPattern("\"type\":\"TurnRing\"[^}]*\"ring\":\\{\"cells\":8,")
                .containsPattern(
                        "\"name\":\"cells\\[0]\"[^}]*\"cell\":0,[^}]*\"targets\":\\{\"[0-9a-f]+\":\"[0-9a-f]+\"")
                .containsPattern("\"turn \\d+\"")
                .containsPattern("\"turn \\d+ over\"");
    }

    @Test
    void theNodesOfAnOrderedMapAreATree() throws Exception {
        assertThat(page(TreeScenario.shipped(4, 12, 8)))
                .contains("\"type\":\"DrawnTree.Leaf\"")
                .contains("\"type\":\"DrawnTree.Inner\"")
                .containsPattern("\"name\":\"slots\\[0].value\"[^}]*\"child\":true,\"targets\":\\{\"[0-9a-f]+\":")
                .contains("\"level 1, version 0\"")
                .containsPattern("\"present, [0-9a-f]+…\"")
                .containsPattern("\"empty, [0-9a-f]+…\"");
    }

    @Test
    void theUpperBoundOfANodeOfAnOrderedMapIsUnusedUntilItHasALink() throws Exception {
        assertThat(page(TreeScenario.shipped(4, 12, 8)))
                .containsPattern("\"name\":\"high\\[0]\"[^}]*\"unusedAt\":\\[\"0\"]"
                        + "}[^}]*\"name\":\"link\"[^}]*\"targets\":\\{\"0\":\"0\",\"[1-9a-f]");
    }

    @Test
    void aSlotOfAHashMapLeadsToItsEntryUntilThatIsRemoved() throws Exception {
        assertThat(page(HashMapScenario.growing(4, 12, 6, false)))
                .containsPattern("\"name\":\"slots\\[0]\"[^}]*\"targets\":\\{[^}]*\"2[0-9a-f]{14}\":\"[1-9a-f]")
                .containsPattern("\"name\":\"slots\\[0]\"[^}]*\"targets\":\\{[^}]*\"8000000000000001\":\"0\"");
    }

    @Test
    void theDirectoryOfAHashMapLeadsToBucketsAndTheseToEntries() throws Exception {
        assertThat(page(HashMapScenario.growing(4, 12, 6, false)))
                .containsPattern("\"type\":\"DrawnMap.Section\"")
                .containsPattern("\"type\":\"DrawnMap.Bucket\"")
                .containsPattern("\"type\":\"DrawnMap.Entry\"")
                .contains("\"empty, generation 0\"")
                .contains("\"depth 1\"")
                .contains("\"key 8, value 8 bytes\"");
    }

    @Test
    void theCellsOfALockFreeQueueAreLinkedAcrossThePoolsOfThreads() throws Exception {
        String page = page(PooledQueueScenario.lockFree(4, 8, 3));
        assertThat(page)
                .containsPattern("\"name\":\"heads\\[0]\"[^}]*\"targets\":\\{\"[^}]*\"[0-9a-f]+\":\"[1-9a-f]")
                .containsPattern("\"IN_QUEUE, generation \\d+\"")
                .containsPattern("\"nil, generation \\d+\"");
        int links = 0;
        Matcher next = Pattern.compile(
                        "\"name\":\"next\",[^{]*\"first\":\"([0-9a-f]+)\"[^{]*\"targets\":\\{([^}]*)},\"texts\":\\{([^}]*)}")
                .matcher(page);
        while (next.find()) {
            Matcher link = Pattern.compile("\"([0-9a-f]+)\":\"pool ").matcher(next.group(3));
            while (link.find()) {
                if (!link.group(1).equals(next.group(1))) { // or else memory as it was before
                    links++;
                    assertThat(next.group(2)).containsPattern("\"" + link.group(1) + "\":\"[1-9a-f]");
                }
            }
        }
        assertThat(links).isGreaterThan(10);
    }

    @Test
    void theElementsOfThePublishedQueueAreLinked() throws Exception {
        assertThat(page(PooledQueueScenario.published(4, 8, 3)))
                .containsPattern("\"name\":\"n\"[^}]*\"child\":false,\"targets\":\\{\"[^}]*\"[0-9a-f]+\":\"[1-9a-f]")
                .contains("\"IN\"");
    }
}
