// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.remus.source.ClassCircles;

/** The classes of the structures depend on each other in one direction. */
@ArchTag("any-jdk")
@AnalyzeClasses(packages = "dev.remus.structures", importOptions = ImportOption.DoNotIncludeTests.class)
class StructuresCirclesTest {
    @ArchTest
    static final ArchRule structuresHaveNoCircles = ClassCircles.noneExcept();
}
