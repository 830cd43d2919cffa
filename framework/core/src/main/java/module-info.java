// SPDX-License-Identifier: Apache-2.0
/**
 * What a program with remote memory loads: nodes, pointers, records and locks, over shared memory or RDMA verbs.
 *
 * <p>The verbs fabric needs DiSNI and {@code dev.remus.observe} needs Micrometer; a program that uses neither can leave
 * both out.
 */
@SuppressWarnings("module") // that some packages are for is not there yet
module dev.remus.framework {
    requires transitive chronicle.bytes; // Codecs, RemoteBytes and LocalBuffer name its types
    requires chronicle.core;
    requires static disni;
    requires java.management;
    requires transitive jdk.jfr;
    requires jdk.unsupported; // for chronicle.core, which does not declare it
    requires static micrometer.core;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports dev.remus.config;
    exports dev.remus.fabric;
    exports dev.remus.lock;
    exports dev.remus.logging to
            dev.remus.cli;
    exports dev.remus.memory;
    exports dev.remus.node;
    exports dev.remus.observe;
    exports dev.remus.process to
            dev.remus.cli,
            dev.remus.testing;
    exports dev.remus.record;

    uses dev.remus.fabric.Fabric;
    uses org.slf4j.spi.SLF4JServiceProvider;

    provides dev.remus.fabric.Fabric with
            dev.remus.fabric.shm.ShmFabric,
            dev.remus.fabric.verbs.VerbsFabric;
}
