package dev.remus.tools.mutants;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.simulation.Finding;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Looks for each mutant, and says what became of it. */
public final class MutantsCommand {
    /** At least so many of a hundred have to be found. */
    private static final int DEMANDED_PERCENT = 95;

    /** How many schedules of each mutant are run unless the user chooses. */
    public static final long USUAL_SCHEDULES = 2_000;

    private final PrintStream out;
    private final PrintStream err;
    private final List<String> wanted;
    private final long first;
    private final long schedules;
    private final int jobs;

    /**
     * @param out gets the table
     * @param err gets complaints and progress
     * @param wanted beginnings of the names of mutants, all if there are none
     * @param first the seed of the first schedule
     * @param schedules how many to run of each at most
     * @param jobs how many to run at a time
     */
    public MutantsCommand(PrintStream out, PrintStream err, List<String> wanted, long first, long schedules, int jobs) {
        this.out = out;
        this.err = err;
        this.wanted = List.copyOf(wanted);
        this.first = first;
        this.schedules = schedules;
        this.jobs = jobs;
    }

    /** @return an {@link ExitStatus}: OK if enough of those that matter are found, and all others are explained */
    public int run() throws InterruptedException {
        Campaign campaign = Campaign.ofEverything();
        List<Mutant> mutants =
                campaign.mutants().stream().filter(this::isWanted).toList();
        if (mutants.isEmpty()) {
            err.println("remus check: there is no mutant that begins with " + String.join(" or ", wanted));
            return ExitStatus.FAILED;
        }
        List<Finding> wrong = campaign.explore();
        if (!wrong.isEmpty()) {
            err.println("remus check: something goes wrong without any mutant: " + wrong.get(0));
            return ExitStatus.FAILED;
        }
        return report(campaign, mutants);
    }

    private boolean isWanted(Mutant mutant) {
        return wanted.isEmpty() || wanted.stream().anyMatch(mutant.name()::startsWith);
    }

    private int report(Campaign campaign, List<Mutant> mutants) throws InterruptedException {
        Survivors survivors = Survivors.read();
        int found = 0;
        int explained = 0;
        int unknown = 0;
        int done = 0;
        out.printf("%-66s %-10s %-22s %-17s %9s %10s%n", "mutant", "", "by", "in", "schedules", "seed");
        try (ProgressView view = ProgressViews.forUser(err)) {
            for (Mutant mutant : mutants) {
                MutantResult result = campaign.search(mutant, first, schedules, jobs);
                Optional<String> reason = survivors.reason(mutant);
                view.interrupt();
                print(result, reason);
                found += result.isFound() ? 1 : 0;
                explained += !result.isFound() && reason.isPresent() && !Survivors.isOpen(reason.get()) ? 1 : 0;
                unknown += !result.isFound() && reason.isEmpty() ? 1 : 0;
                view.show("mutants", ++done, mutants.size());
            }
        }
        int ofInterest = mutants.size() - explained;
        out.printf(
                Locale.ROOT,
                "%d mutants: %d change nothing but costs; of the other %d, %d are found (%.1f %%) and %d are holes, %d of them"
                        + " unexplained; Java %d, seeds %d to %d%n",
                mutants.size(),
                explained,
                ofInterest,
                found,
                100.0 * found / Math.max(1, ofInterest),
                ofInterest - found,
                unknown,
                Runtime.version().feature(),
                first,
                first + schedules - 1);
        survivors
                .unknown(campaign.mutants())
                .forEach(name -> out.println("survivors.txt explains " + name + ", which does not exist"));
        return unknown == 0 && 100 * found >= DEMANDED_PERCENT * ofInterest ? ExitStatus.OK : ExitStatus.FAILED;
    }

    /** Few schedules prove little: some mutants are found only after hundreds. */
    private String unexplained() {
        return schedules < USUAL_SCHEDULES
                ? "not found in " + schedules + " schedules; try more, --schedules " + USUAL_SCHEDULES
                : "not found, and survivors.txt does not explain it";
    }

    private void print(MutantResult result, Optional<String> reason) {
        String name = result.mutant().name();
        if (result.isFound()) {
            out.printf(
                    "%-66s %-10s %-22s %-17s %9d %10d%n",
                    name,
                    "found",
                    result.detector(),
                    result.scenario(),
                    result.number(),
                    result.finding().orElseThrow().seed());
        } else {
            String what = result.scenarios().isEmpty() ? "NOT REACHED" : "SURVIVES";
            out.printf("%-66s %-10s %s%n", name, what, reason.orElse(unexplained()));
        }
        out.flush();
    }
}
