// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

/**
 * Takes the result of an experiment, on the thread that leads.
 *
 * @param <R> the result
 * @param <E> what it may throw
 */
@FunctionalInterface
public interface ResultReport<R, E extends Exception> {
    /** Takes the result. */
    void accept(R result) throws E;
}
