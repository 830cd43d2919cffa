// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.remus.source.ProductionCode;

/** The packages of the tools and of the structures have no dependency cycles. */
@AnalyzeClasses(
        packages = {"dev.remus.tools", "dev.remus.structures"},
        importOptions = ProductionCode.class)
@ArchTag("any-jdk")
class PackagesTest {
    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.remus.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule structuresDoNotDependOnTheirScenarios = noClasses()
            .that()
            .resideInAPackage("dev.remus.structures")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.remus.structures.spec");

    @ArchTest
    static final ArchRule structuresDoNotDependOnTheBaselines = noClasses()
            .that()
            .resideInAPackage("dev.remus.structures")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.remus.structures.baseline");
}
