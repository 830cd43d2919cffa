// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

/**
 * How the remaining nodes react when a node of the cluster is lost: its process ended, it stayed unreachable, it failed
 * by itself, or it never joined. All nodes of a cluster need the same policy.
 *
 * <p>A Compute Node ends as its own threads do. A Memory Node has no results of its own; its end follows from those of
 * the Compute Nodes:
 *
 * <table>
 *   <caption>How a Memory Node ends; programs turn the error into exit status 1</caption>
 *   <tr><th>What happened</th><th>{@link #ABORT}</th><th>{@link #CONTINUE}</th></tr>
 *   <tr><td>All Compute Nodes finished</td><td>well</td><td>well</td></tr>
 *   <tr><td>A Compute Node never joined, nor came later</td><td>error</td><td>error</td></tr>
 *   <tr><td>A Compute Node failed by itself</td><td>error</td><td>error</td></tr>
 *   <tr><td>A node was killed or stayed unreachable, another Compute Node finished</td><td>error</td>
 *       <td>well; the loss is reported</td></tr>
 *   <tr><td>All Compute Nodes were lost</td><td>error</td><td>error</td></tr>
 * </table>
 */
public enum OnNodeLoss {
    /** Every wait on every node ends with an error: right for an experiment, whose figures are void then. */
    ABORT("abort"),
    /**
     * Only waits on the lost node end with an error; everything else goes on. Once a lost Compute Node is cut off, the
     * barrier of all threads does without it, and its locks are taken over. It may come back ({@code --returns}).
     */
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
