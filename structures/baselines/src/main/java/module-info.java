// SPDX-License-Identifier: Apache-2.0
/** Published queues, to compare those of {@code dev.remus.structures} with. */
module dev.remus.baselines {
    requires transitive dev.remus.structures;
    requires static transitive org.jspecify;

    exports dev.remus.structures.baseline;
}
