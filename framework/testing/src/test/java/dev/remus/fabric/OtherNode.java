// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/** A node that lives outside the process of the tests. */
public interface OtherNode extends AutoCloseable {
    /** Closes the node's endpoint in good order, which ends the node. */
    void finish();

    /** Kills the node, as {@code SIGKILL} does. It has ended when this returns. */
    void kill();

    /** Stops the node, as {@code SIGSTOP} does: it stays alive, but does nothing. */
    void pause();

    /** Continues a stopped node. */
    void resume();

    /** Sends a command of {@link NodeMain}, and returns the answer. */
    String ask(String command);

    /** Ends the node in any state. May be called again. */
    @Override
    void close();
}
