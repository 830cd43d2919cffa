// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/** The verbs fabric on machines where it cannot be used, and in programs that do not choose it. */
class WithoutRdmaTest {
    private final ClusterConfig config = ClusterConfig.builder()
            .fabric("verbs")
            .memoryNodes(0, 0)
            .computeNodes(1, 1)
            .build();

    @Test
    @DisabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = "this machine has RDMA")
    void aMachineWithoutRdmaIsReportedWithTheCommandThatHelps() {
        Fabric verbs = Fabric.of(config);
        refuses(() -> verbs.openMemory(config, 0));
        refuses(() -> verbs.openCompute(config, 1));
        refuses(() -> verbs.localHost(config));
    }

    private static void refuses(org.assertj.core.api.ThrowableAssert.ThrowingCallable open) {
        assertThatThrownBy(open)
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("fabric verbs")
                .hasMessageContaining("no RDMA device")
                .hasMessageContaining("./remus doctor");
    }

    /** On a class path without DiSNI, which is as strict as "loads none of its classes". */
    @Test
    void sharedMemoryNeedsNoClassOfDisni() throws Exception {
        runWithoutDisni(OpensSharedMemory.class);
    }

    @Test
    void choosingVerbsWithoutDisniNamesTheMissingArtifact() throws Exception {
        runWithoutDisni(ChoosesVerbs.class);
    }

    private static void runWithoutDisni(Class<? extends Runnable> what) throws Exception {
        URL[] classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("disni"))
                .map(WithoutRdmaTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            Class<?> opens = loader.loadClass(what.getName());
            assertThat(opens).isNotSameAs(what);
            ((Runnable) opens.getDeclaredConstructor().newInstance()).run();
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }

    /** Loaded by another class loader. */
    public static final class OpensSharedMemory implements Runnable {
        @Override
        public void run() {
            ClusterConfig config = ClusterConfig.builder()
                    .cluster("test-without-disni-" + ProcessHandle.current().pid())
                    .memoryNodes(0, 0)
                    .computeNodes(1, 1)
                    .build();
            try (var memory = Fabric.of(config).openMemory(config, 0);
                    var compute = Fabric.of(config).openCompute(config, 1)) {
                memory.publish();
                compute.connect(0, 1, java.time.Duration.ofSeconds(60)).close();
            }
        }
    }

    /** Loaded by another class loader. */
    public static final class ChoosesVerbs implements Runnable {
        @Override
        public void run() {
            ClusterConfig config = ClusterConfig.builder()
                    .fabric("verbs")
                    .memoryNodes(0, 0)
                    .computeNodes(1, 1)
                    .build();
            Fabric verbs = Fabric.of(config);
            namesTheArtifact(() -> verbs.openMemory(config, 0));
            namesTheArtifact(() -> verbs.openCompute(config, 1));
            namesTheArtifact(() -> verbs.localHost(config));
        }

        private static void namesTheArtifact(org.assertj.core.api.ThrowableAssert.ThrowingCallable open) {
            assertThatThrownBy(open)
                    .isInstanceOf(FabricException.class)
                    .hasMessage(
                            "fabric verbs: the class path lacks com.ibm.disni:disni, through which this fabric calls"
                                    + " verbs. Add that dependency; fabric shm needs none");
        }
    }
}
