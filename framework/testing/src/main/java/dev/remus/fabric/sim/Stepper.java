// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** An agent that the simulator itself advances when it is picked: a lane. A thread is given the turn instead. */
abstract class Stepper extends Agent {
    /** @param number in order of creation, from 0 */
    Stepper(int number) {
        super(number);
    }

    /** Takes one step. */
    abstract void advance();
}
