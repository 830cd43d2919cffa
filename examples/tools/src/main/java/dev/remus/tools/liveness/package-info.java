/**
 * What the death or a pause of some threads does to the others, measured in the simulator for each structure and method and
 * compared with what the structure promises ({@code ./remus check --progress}).
 *
 * <p>Depends on the structures, on the framework's simulation and on {@code dev.remus.cli.cluster}.
 */
@NullMarked
package dev.remus.tools.liveness;

import org.jspecify.annotations.NullMarked;
