// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.examples.CounterProgram;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tools.harness.IntSetOptions;
import dev.remus.tools.kv.KvProgram;
import dev.remus.tools.queue.QueueOptions;
import dev.remus.tools.report.ReportExtent;
import org.junit.jupiter.api.Test;

/** The program options that a cluster's nodes compare; a new option must be classified here. */
class ProgramOptionsTest {
    private static Iterable<String> compared(OptionSet options) {
        return comparedOf(options.include(RemusOptions.groups()));
    }

    private static Iterable<String> comparedOf(OptionSet options) {
        Arguments arguments = options.parse(ProgramRunner.localDefaults());
        return RemusOptions.clusterConfig(arguments).agreed().keySet();
    }

    @Test
    void allNodesOfAnExperimentWithSetsNeedTheSameWorkload() {
        assertThat(compared(new OptionSet("test", "A test.").include(IntSetOptions.group(), ReportExtent.group())))
                .containsExactlyInAnyOrder(
                        "--num-ops",
                        "--run-time",
                        "--prefill",
                        "--insert",
                        "--remove",
                        "--key-lb",
                        "--key-ub",
                        "--set",
                        "--reclaim-every",
                        "--seed",
                        "--time-operations",
                        "--verify",
                        "--baseline");
    }

    @Test
    void allNodesOfAnExperimentWithQueuesNeedTheSameWorkload() {
        assertThat(compared(new OptionSet("test", "A test.").include(QueueOptions.group(), ReportExtent.group())))
                .containsExactlyInAnyOrder(
                        "--queue",
                        "--workload",
                        "--num-ops",
                        "--run-time",
                        "--warm-up",
                        "--capacity",
                        "--seed",
                        "--verify",
                        "--sweep",
                        "--queues");
    }

    @Test
    void allNodesOfACounterNeedTheSameOperations() {
        assertThat(comparedOf(new CounterProgram().options()))
                .containsExactlyInAnyOrder("--stripes", "--num-ops", "--sum-every", "--verify");
    }

    @Test
    void allNodesOfAnExperimentWithMapsNeedTheSameWorkload() {
        assertThat(comparedOf(new KvProgram().options()))
                .containsExactlyInAnyOrder(
                        "--map",
                        "--workload",
                        "--read",
                        "--update",
                        "--insert",
                        "--rmw",
                        "--remove",
                        "--scan",
                        "--scan-length",
                        "--distribution",
                        "--skew",
                        "--hot-keys",
                        "--hot-operations",
                        "--records",
                        "--value-bytes",
                        "--num-ops",
                        "--run-time",
                        "--warm-up",
                        "--rate",
                        "--seed",
                        "--time-operations",
                        "--verify",
                        "--baseline");
    }
}
