// SPDX-License-Identifier: Apache-2.0
/** Sets, maps and queues in remote memory. */
module dev.remus.structures {
    requires transitive dev.remus.framework;
    requires static transitive org.jspecify;

    exports dev.remus.structures;
}
