// SPDX-License-Identifier: Apache-2.0
/** The module of specifications and scenarios that check the framework and the structures in the simulator. */
module dev.remus.scenarios {
    requires transitive dev.remus.structures;
    requires transitive dev.remus.testing;
    requires dev.remus.baselines;
    requires static transitive org.jspecify;

    exports dev.remus.simulation.scenario;
    exports dev.remus.structures.spec;
    exports dev.remus.structures.verify;
}
