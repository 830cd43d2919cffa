package dev.remus.tools.reproduce.lockfree;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.OptionSpec;
import dev.remus.tools.reproduce.experiment.ExperimentOptions;
import dev.remus.tools.reproduce.experiment.ExperimentRun;
import dev.remus.tools.reproduce.experiment.PaperExperiment;
import java.util.List;

/** Figures 4 and 5 of the lock-free queue's paper: throughput, and the time of the parts of an operation. */
public final class LockFreeQueuePaper implements PaperExperiment {
    @Override
    public String name() {
        return "lock-free-queue";
    }

    @Override
    public String summary() {
        return "The lock-free queue against queues with locks: figures 4 and 5";
    }

    @Override
    public List<OptionSpec<?>> options() {
        return List.of(ExperimentOptions.FABRIC);
    }

    @Override
    public int run(ExperimentRun run) {
        run.err().println("remus reproduce: " + name() + " is not available yet");
        return ExitStatus.FAILED;
    }
}
