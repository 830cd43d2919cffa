// SPDX-License-Identifier: Apache-2.0
/** Command-line options, and programs that run as the nodes of a cluster. */
module dev.remus.cli {
    requires transitive dev.remus.framework;
    requires org.apache.commons.cli;
    requires me.tongfei.progressbar;
    requires static transitive org.jspecify;

    exports dev.remus.cli.cluster;
    exports dev.remus.cli.progress;
    exports dev.remus.options;
}
