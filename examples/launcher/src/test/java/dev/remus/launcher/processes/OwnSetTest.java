// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.tools.harness.OwnClasses;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user's own set runs on a cluster of several processes, each of which loads its class. */
@Tag("processes")
@Timeout(400)
@Tag("any-jdk")
class OwnSetTest {
    @TempDir
    private Path folder;

    @TempDir
    private Path shm;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSetInAFolderOrAJarRunsOnAllNodesOfALocalCluster(boolean inJar) throws Exception {
        OwnClasses classes = OwnClasses.compile(folder);
        Path path = inJar ? classes.jar() : classes.folder();
        try (Started intset = Started.of(
                shm,
                "intset",
                "--set=" + OwnClasses.SET,
                "--class-path=" + path,
                "--num-ops=100",
                "--key-ub=50",
                "--out=" + folder.resolve("results"))) {
            assertThat(intset.await()).as(intset.err()).isZero();
            assertThat(intset.out()).contains(OwnClasses.SET, "balanced");
        }
    }
}
