// SPDX-License-Identifier: Apache-2.0
/**
 * Mutation testing of the checks: mistakes are planted, one at a time, in the structures, the locks, the barrier, the
 * allocator, the reclamation and the waits for asynchronous operations, and the scenarios must find them ({@code
 * ./remus check --mutants}).
 *
 * <pre>
 *  ClassesUnderTest --> ClassMutator --> MutantLoader      a copy of the classes with all mutants
 *                            |                |
 *                       Substitutes        Campaign --> Switch: selects the running mutant
 *                                             |
 *                          MutantsCommand: the table; Survivors: explains survivors
 * </pre>
 *
 * <p>Shipped code is independent of this package: the copy is made in memory from the compiled classes and discarded. A
 * new structure is mutated automatically once a scenario reaches it. To add a kind of mistake, add a method to {@code
 * Substitutes}.
 *
 * <p>Depends on {@code dev.remus.tools.scenarios} for the scenarios, on {@code dev.remus.cli.cluster} and {@code
 * dev.remus.cli.progress}, and on the library ASM, which no other package uses.
 *
 * <p>Sources: R. DeMillo, R. Lipton, F. Sayward, "Hints on Test Data Selection", IEEE Computer 11(4), 1978; all mutants
 * in one program: R. Untch, A. Offutt, M. Harrold, "Mutation Analysis Using Mutant Schemata", ISSTA 1993.
 */
@NullMarked
package dev.remus.tools.mutants;

import org.jspecify.annotations.NullMarked;
