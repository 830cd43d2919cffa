// SPDX-License-Identifier: Apache-2.0
/**
 * The module that tests of structures import: the simulator fabric, checkers of histories, clusters on this machine,
 * and {@code @SimulationTest} and {@code @LocalCluster} for JUnit.
 */
module dev.remus.testing {
    requires com.fasterxml.jackson.core;
    requires transitive dev.remus.framework;
    requires transitive org.junit.jupiter.api;
    requires static transitive org.jspecify;

    exports dev.remus.check;
    exports dev.remus.fabric.sim;
    exports dev.remus.junit;
    exports dev.remus.local;
    exports dev.remus.simulation;
    exports dev.remus.verify;
}
