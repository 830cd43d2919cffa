// SPDX-License-Identifier: Apache-2.0
/**
 * Is what concurrent threads saw of an object correct? A {@link dev.remus.check.Recorder} notes each call and each
 * return; the {@link dev.remus.check.History} that it gives is judged by a {@link dev.remus.check.Checker} against a
 * sequential {@link dev.remus.check.Specification}: the {@link dev.remus.check.LinearizabilityChecker}, or the
 * {@link dev.remus.check.QuiescentConsistencyChecker} for objects that promise less. What is wrong is made small by a
 * {@link dev.remus.check.Minimiser} and drawn for people by a {@link dev.remus.check.Timeline}.
 *
 * <pre>{@code
 * Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
 * // in each thread
 * int id = recorder.call(thread, SetOperation.insert(3L));
 * recorder.returned(id, set.insert(3, ct));
 * // afterwards
 * var verdict = new LinearizabilityChecker<>(new SetSpecification<Long>()).check(recorder.history());
 * }</pre>
 *
 * <p>Depends on the JDK only, not on remote memory: histories of a simulator and of real threads, of
 * structures in this software and elsewhere, are judged alike. Nothing here draws random numbers or looks at a clock,
 * so the same history always gets the same verdict after the same number of steps.
 */
@NullMarked
package dev.remus.check;

import org.jspecify.annotations.NullMarked;
