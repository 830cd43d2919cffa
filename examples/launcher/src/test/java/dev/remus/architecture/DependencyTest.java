// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.remus.source.ClassCircles;
import dev.remus.source.ProductionCode;
import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Package dependencies are acyclic: options depend on config; config, fabric, memory, node and record each only on
 * earlier ones.
 */
@AnalyzeClasses(packages = "dev.remus", importOptions = ProductionCode.class)
@ArchTag("any-jdk")
class DependencyTest {
    private static final String FABRIC = "dev.remus.fabric";

    @ArchTest
    static final ArchRule configDependsOnNoOtherPackage = onlyOn("dev.remus.config");

    @ArchTest
    static final ArchRule loggingDependsOnNoOtherPackage = onlyOn("dev.remus.logging");

    @ArchTest
    static final ArchRule checkersDependOnNoOtherPackage = onlyOn("dev.remus.check");

    @ArchTest
    static final ArchRule optionsDependOnConfigOnly = onlyOn("dev.remus.options", "dev.remus.config");

    @ArchTest
    static final ArchRule theFabricContractDependsOnConfigOnly = onlyOn(FABRIC, "dev.remus.config");

    @ArchTest
    static final ArchRule fabricsDependOnTheContractAndConfigOnly =
            onlyOn("dev.remus.fabric.shm", FABRIC, "dev.remus.config");

    @ArchTest
    static final ArchRule theVerbsFabricDependsOnTheContractConfigAndLoggingOnly =
            onlyOn("dev.remus.fabric.verbs", FABRIC, "dev.remus.config", "dev.remus.logging");

    @ArchTest
    static final ArchRule onlyTheVerbsFabricDependsOnDisni = noClasses()
            .that()
            .resideOutsideOfPackage("dev.remus.fabric.verbs")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.ibm.disni..");

    @ArchTest
    static final ArchRule memoryDependsOnFabricAndConfigOnly = onlyOn("dev.remus.memory", FABRIC, "dev.remus.config");

    @ArchTest
    static final ArchRule nodesDependOnMemoryFabricConfigAndLoggingOnly =
            onlyOn("dev.remus.node", "dev.remus.memory", FABRIC, "dev.remus.config", "dev.remus.logging");

    @ArchTest
    static final ArchRule recordsDependOnNodesMemoryAndFabricOnly =
            onlyOn("dev.remus.record", "dev.remus.node", "dev.remus.memory", FABRIC);

    @ArchTest
    static final ArchRule locksDependOnRecordsNodesMemoryAndFabricOnly =
            onlyOn("dev.remus.lock", "dev.remus.record", "dev.remus.node", "dev.remus.memory", FABRIC);

    @ArchTest
    static final ArchRule scenariosDependOnSimulationAndNotOnStructures = onlyOn(
            "dev.remus.simulation.scenario",
            "dev.remus.simulation",
            "dev.remus.lock",
            "dev.remus.record",
            "dev.remus.node",
            "dev.remus.memory",
            "dev.remus.fabric.sim",
            FABRIC,
            "dev.remus.config");

    @ArchTest
    static final ArchRule theJunitExtensionDependsOnSimulationAndLocalClusters = onlyOn(
            "dev.remus.junit",
            "dev.remus.simulation",
            "dev.remus.fabric.sim",
            "dev.remus.local",
            "dev.remus.node",
            "dev.remus.config");

    @ArchTest
    static final ArchRule noPackageDependsOnTheJunitExtension = noClasses()
            .that()
            .resideOutsideOfPackage("dev.remus.junit")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.remus.junit");

    @ArchTest
    static final ArchRule onlyTheJunitExtensionDependsOnJunit = noClasses()
            .that()
            .resideOutsideOfPackage("dev.remus.junit")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.junit..");

    @ArchTest
    static final ArchRule onlyToolsThatMeasureOrWatchAFabricDependOnItByItsClass = noClasses()
            .that()
            .resideOutsideOfPackages("dev.remus.fabric.shm", "dev.remus.fabric.verbs", "dev.remus.tools..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.remus.fabric.shm", "dev.remus.fabric.verbs");

    @ArchTest
    static final ArchRule onlyTheSharedMemoryFabricMapsFilesAndOnlyBytesAndCodecsUseChronicleBytes = noClasses()
            .that()
            .resideOutsideOfPackages("dev.remus.fabric.shm", "dev.remus.tools.bench") // which measures a lower bound
            .and()
            .haveNameNotMatching("dev[.]remus[.]fabric[.](LocalBuffer|Words)") // for addresses, and what is there
            .and()
            .doNotHaveFullyQualifiedName("dev.remus.memory.KnownSegments") // whose table needs no bounds
            .and()
            .doNotHaveFullyQualifiedName("dev.remus.fabric.verbs.SegmentMemory") // for memory beyond buffers
            .and()
            .haveNameNotMatching(
                    "dev[.]remus[.]record[.](Codecs|MarshallableCodec.*|ObjectBytes|BufferBytes|BufferStore|RemoteBytes)")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("net.openhft..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.remus.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule classesHaveNoCircles = ClassCircles.noneExcept();

    @ArchTest
    static final ArchRule recordsAndLocksUseTimeRandomnessAndWaitingOnlyThroughTheComputeThread = noClasses()
            .that()
            .resideInAnyPackage("dev.remus.record", "dev.remus.lock")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Thread.class, java.util.Random.class)
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("java.util.concurrent..");

    /** This test reads the sources, because ArchUnit detects synchronized methods but not synchronized blocks. */
    @ArchTest
    static void recordsAndLocksAreNotSynchronized(JavaClasses unused) throws IOException {
        for (String name : List.of("record", "lock")) {
            try (Stream<Path> sources = Files.list(SourceTree.packageFolder("dev.remus." + name))) {
                assertThat(sources)
                        .isNotEmpty()
                        .allSatisfy(source ->
                                assertThat(source).content(UTF_8).doesNotContainPattern("\\bsynchronized\\b"));
            }
        }
    }

    @ArchTest
    static final ArchRule publicTypesAreFinalAbstractOrInterfaces = classes()
            .that()
            .resideInAnyPackage("dev.remus.node", "dev.remus.memory", "dev.remus.record", "dev.remus.lock")
            .and()
            .arePublic()
            .and()
            .areNotInterfaces()
            .and(describe(
                    "are no exceptions", // ArchUnit does not always resolve superclasses in the JDK
                    c -> !Throwable.class.isAssignableFrom(c.reflect())))
            .should()
            .haveModifier(JavaModifier.FINAL)
            .orShould()
            .haveModifier(JavaModifier.ABSTRACT);

    /** A rule that a package depends on no other Remus packages than itself and the given ones. */
    private static ArchRule onlyOn(String from, String... others) {
        String[] allowed = java.util.Arrays.copyOf(others, others.length + 1);
        allowed[others.length] = from;
        return noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat(DescribedPredicate.and(
                        JavaClass.Predicates.resideInAPackage("dev.remus.."),
                        DescribedPredicate.not(JavaClass.Predicates.resideInAnyPackage(allowed))));
    }
}
