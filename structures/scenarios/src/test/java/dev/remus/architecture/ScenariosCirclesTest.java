// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.remus.source.ClassCircles;

/** The classes of the structures, of the baselines and of the scenarios depend on each other in one direction. */
@AnalyzeClasses(
        packages = {"dev.remus.structures", "dev.remus.simulation.scenario"},
        importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("any-jdk")
class ScenariosCirclesTest {
    @ArchTest
    static final ArchRule structuresBaselinesAndScenariosHaveNoCircles = ClassCircles.noneExcept();
}
