// SPDX-License-Identifier: Apache-2.0
package dev.remus.source;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Imports shipped classes only: no test classes, neither from folders of this module nor from test jars of others. */
public final class ProductionCode implements ImportOption {
    private static final ImportOption NO_TESTS = new ImportOption.DoNotIncludeTests();

    @Override
    public boolean includes(Location location) {
        return NO_TESTS.includes(location) && !location.contains("-tests.jar");
    }
}
