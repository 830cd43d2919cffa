package dev.remus.fabric;

/** A node that lives outside the process of the tests. */
public interface OtherNode extends AutoCloseable {
    /** Closes its endpoint in good order, with which the node ends. */
    void finish();

    /** Ends it without a goodbye, as {@code SIGKILL} does; it has ended when this returns. */
    void kill();

    /** Stops it, as {@code SIGSTOP} does: it is alive, but does nothing any more. */
    void pause();

    /** Lets a stopped one go on. */
    void resume();

    /** Asks it to do something that {@link NodeMain} knows, and returns its answer. */
    String ask(String command);

    /** Ends the node in any case. May be called again. */
    @Override
    void close();
}
