package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tools.harness.IntSetOptions;
import dev.remus.tools.queue.QueueOptions;
import dev.remus.tools.report.ReportExtent;
import org.junit.jupiter.api.Test;

/** The program options that a cluster's nodes compare; a new option must be classified here. */
class ProgramOptionsTest {
    private static Iterable<String> compared(OptionSet options) {
        Arguments arguments = options.include(RemusOptions.groups()).parse(ProgramRunner.localDefaults());
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
}
