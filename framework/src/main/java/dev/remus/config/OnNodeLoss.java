package dev.remus.config;

/** What the nodes that are left do when a node of the cluster is lost. */
public enum OnNodeLoss {
    /** Every wait on every node ends with an error: the right answer for an experiment, whose numbers are void. */
    ABORT("abort"),
    /** Only barriers and waits on the lost node end with an error; everything else goes on. */
    CONTINUE("continue");

    private final String optionName;

    OnNodeLoss(String optionName) {
        this.optionName = optionName;
    }

    /**
     * The name under which {@code --on-node-loss} accepts this choice.
     *
     * @return for example {@code abort}
     */
    public String optionName() {
        return optionName;
    }

    /** The same as {@link #optionName()}. */
    @Override
    public String toString() {
        return optionName;
    }
}
