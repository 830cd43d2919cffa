// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The table of types of machines, which profile.py, the script and the page share. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(120)
class NodeTypesTest {
    private static final List<String> REQUIRED = List.of(
            "c6220", "c6525-100g", "c6525-25g", "d6515", "d7525", "m510", "r320", "r650", "r6525", "r7525", "xl170");

    @TempDir
    private Path folder;

    private static List<List<String>> rows(String file, String begin, String end) throws IOException {
        String text = Shell.read(Shell.CLOUDLAB.resolve(file));
        int from = text.indexOf(begin) + begin.length();
        return text.substring(from, text.indexOf(end, from))
                .strip()
                .lines()
                .map(line -> Arrays.stream(line.replace("`", "").split(Pattern.quote("|")))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static List<List<String>> table() throws IOException {
        return rows("profile.py", "NODE_TYPES = \"\"\"\n", "\"\"\"");
    }

    private Shell.Ended plan(String... lines) throws Exception {
        Path cluster = Files.write(Files.createTempFile(folder, "cluster", ".sh"), List.of(lines));
        return Shell.run(Shell.CL.toString(), cluster.toString(), "plan", "experiments/intset.sh");
    }

    @Test
    void thePageHasTheTypesOfTheProfile() throws Exception {
        assertThat(table()).extracting(row -> row.get(0)).containsExactlyElementsOf(REQUIRED);
        List<List<String>> onPage =
                rows("README.md", "| interface | sources |\n|---|---|---|---|---|---|---|\n", "\n\n");
        assertThat(onPage.stream().map(row -> row.subList(1, 7)))
                .containsExactlyElementsOf(table().stream()
                        .map(row -> List.of(row.get(0), row.get(1), row.get(3), row.get(4), row.get(5), row.get(6)))
                        .toList());
        assertThat(onPage).allSatisfy(row -> assertThat(row.get(7)).matches("[A-D](, [A-D])*"));
    }

    @Test
    void theScriptTakesDomainAndInterfaceFromTheTypeUnlessTheFileHasThem() throws Exception {
        for (List<String> row : table()) {
            String name = row.get(6).replace(" ?", "").replace("?", "");
            assertThat(sourced("node_type=" + row.get(0))).isEqualTo(row.get(2) + " " + name);
        }
        assertThat(sourced("node_type=xl170 domain=example.org rdma_interface=eth7"))
                .isEqualTo("example.org eth7");
    }

    private String sourced(String lines) throws Exception {
        Path cluster = Files.write(folder.resolve("sourced.sh"), List.of("machines=(a)", lines));
        String program = "die() { echo \"$*\"; exit 2; }; whole_number='^[0-9]+$'; folder=$1 root=$1;"
                + " . \"$1/lib/node-types.sh\"; . \"$1/lib/clusters.sh\"; load_cluster \"$2\";"
                + " echo \"$domain $rdma_interface\"";
        Shell.Ended ended = Shell.run("bash", "-euc", program, "bash", Shell.CLOUDLAB.toString(), cluster.toString());
        return ended.output().replace("\n", "");
    }

    @Test
    void aMistypedTypeIsRefusedWithThoseNearToIt() throws Exception {
        for (List<String> pair : List.of(
                List.of("c6525", "c6525-100g, c6525-25g, r6525."),
                List.of("XL17", "xl170."),
                List.of("d7526", "d7525."))) {
            Shell.Ended plan = plan("machines=(a b c)", "node_type=" + pair.get(0));
            assertThat(plan.status()).isEqualTo(2);
            assertThat(plan.output())
                    .contains(
                            "node_type='" + pair.get(0) + "' is not in the table of types; near types: " + pair.get(1));
        }
        assertThat(plan("machines=(a)", "node_type=gpu-cluster").output())
                .contains("is not in the table of types. For any");
    }
}
