/**
 * How far the checks can be trusted: mistakes are put into the structures, the locks, the barrier, the allocator, the
 * reclamation and the waits for asynchronous operations, one at a time, and the scenarios must find them ({@code ./remus check --mutants}).
 *
 * <pre>
 *  ClassesUnderTest --> ClassMutator --> MutantLoader      a copy of the classes in which all mutants are
 *                            |                |
 *                       Substitutes        Campaign --> Switch: which of them runs now
 *                                             |
 *                          MutantsCommand: the table; Survivors: why some may survive
 * </pre>
 *
 * <p>Shipped code does not depend on it: the copy is made in memory, from the compiled classes, and thrown away. A new
 * structure is mutated without further code, as soon as a scenario reaches it; a new kind of mistake is a method in
 * {@code Substitutes}.
 *
 * <p>Depends on {@code dev.remus.tools.scenarios} for the scenarios, on {@code dev.remus.cli.cluster} and {@code
 * dev.remus.cli.progress}, and on the library ASM, which nothing else here loads.
 *
 * <p>Sources: R. DeMillo, R. Lipton, F. Sayward, "Hints on Test Data Selection", IEEE Computer 11(4), 1978; all mutants in one
 * program: R. Untch, A. Offutt, M. Harrold, "Mutation Analysis Using Mutant Schemata", ISSTA 1993.
 */
@NullMarked
package dev.remus.tools.mutants;

import org.jspecify.annotations.NullMarked;
