package dev.remus.tools.torture;

/** What is done to a cluster. */
enum Blow {
    /** SIGKILL to one node. */
    KILL("killed"),

    /** SIGKILL to all nodes. */
    KILL_ALL("all killed"),

    /** SIGSTOP to one node and later SIGCONT: it is not dead, and the run goes on. */
    STOP("stopped for a while"),

    /** Nothing: shows that all is well again. */
    NONE("left alone");

    private final String text;

    Blow(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
