// SPDX-License-Identifier: Apache-2.0
package dev.remus.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ThreadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class JvmFlagsTest {
    private static final int THIS = Runtime.version().feature();

    @Test
    void onlyNewReleasesGetTheFlagsThatOldOnesReject() {
        assertThat(JvmFlags.needed(17)).isEmpty();
        assertThat(JvmFlags.needed(25)).hasSize(2).contains("--sun-misc-unsafe-memory-access=allow");
    }

    @Test
    void theFlagsEqualThoseOfTheBuild() {
        String ofTheBuild = System.getProperty("remus.jvm.flags"); // set by the parent pom
        assumeThat(ofTheBuild).isNotNull();
        assertThat(String.join(" ", JvmFlags.needed())).isEqualTo(ofTheBuild);
    }

    @Test
    void onlyAClusterWithLargeSegmentsGetsTheirFlags() {
        assertThat(JvmFlags.forChild(segmentsOf(30))).noneMatch(flag -> flag.contains("sun.nio.ch"));
        assertThat(JvmFlags.forChild(segmentsOf(31)))
                .contains("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED")
                .contains("--add-opens=java.base/java.lang.reflect=ALL-UNNAMED");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
    void theCoresOfVirtualThreadsReachTheChild() {
        ClusterConfig all =
                segmentsOf(20).toBuilder().threadKind(ThreadKind.VIRTUAL).build();
        assertThat(JvmFlags.forChild(all)).noneMatch(flag -> flag.contains("virtualThreadScheduler"));
        assertThat(JvmFlags.forChild(all.toBuilder().cores(3).build()))
                .contains("-Djdk.virtualThreadScheduler.parallelism=3", "-Djdk.virtualThreadScheduler.maxPoolSize=3");
    }

    private static ClusterConfig segmentsOf(int sizeLog2) {
        return ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(0, 0)
                .segmentSizeLog2(sizeLog2)
                .build();
    }

    @Test
    void aChildInheritsTheFlagsOfThisJvmAndLaterFlagsOverride() {
        List<String> flags = JvmFlags.forChild(THIS, List.of("-Xmx1g", "-Da=b"), new Properties());
        assertThat(flags)
                .containsAll(JvmFlags.needed())
                .containsSubsequence("-Xmx256m", "-Xmx1g")
                .contains("-Da=b");
    }

    @Test
    void aNodeThatNeedsMoreHeapGetsItUnlessTheUserHasSetALimit() {
        ClusterConfig config = segmentsOf(20);
        boolean hasLimit = JvmFlags.ofThisVm().stream().anyMatch(flag -> flag.startsWith("-Xmx"));
        assertThat(JvmFlags.forChild(config, 1000).contains("-Xmx1000m")).isEqualTo(!hasLimit);
        assertThat(JvmFlags.forChild(config, JvmFlags.SMALL_HEAP_MIB)).isEqualTo(JvmFlags.forChild(config));
    }

    @Test
    void aChildHasOnlyOneGarbageCollector() {
        assertThat(JvmFlags.forChild(THIS, List.of("-XX:+UseParallelGC"), new Properties()))
                .contains("-XX:+UseParallelGC")
                .doesNotContain("-XX:+UseSerialGC");
    }

    @Test
    void debuggersAndAgentsAreNotInherited() {
        assertThat(JvmFlags.forChild(THIS, List.of("-agentlib:jdwp=server=y", "-javaagent:x.jar"), new Properties()))
                .noneMatch(flag -> flag.contains("agent"));
    }

    @Test
    void aPortOrARecordingOfThisJvmIsNotInherited() {
        List<String> own = List.of(
                "-Dcom.sun.management.jmxremote.port=9010", "-XX:StartFlightRecording=filename=a.jfr", "-Dmine=1");
        assertThat(JvmFlags.forChild(THIS, own, new Properties()))
                .contains("-Dmine=1")
                .doesNotContainAnyElementsOf(own.subList(0, 2));
    }

    @Test
    void aChildOnAnOlderReleaseGetsNoFlagOfNewerReleases() {
        assertThat(JvmFlags.forChild(17, JvmFlags.needed(25), new Properties()))
                .containsAll(JvmFlags.needed(17))
                .doesNotContain("--sun-misc-unsafe-memory-access=allow");
    }

    @Test
    void nothingIsPassedTwice() {
        Properties properties = new Properties();
        properties.setProperty("remus.debug", "true");
        properties.setProperty("other", "x");
        List<String> inherited = new ArrayList<>(JvmFlags.needed());
        inherited.add("-Dremus.debug=true");
        assertThat(JvmFlags.forChild(THIS, inherited, properties))
                .doesNotHaveDuplicates()
                .contains("-Dremus.debug=true")
                .noneMatch(flag -> flag.contains("other"));
    }
}
