// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment {@code reproduce lazy-list}: the tutorial's sentences about its list, as figures. {@link
 * dev.remus.tools.reproduce.lists.LazyListFigures} is the experiment; each of its runs, a {@code ListTrial}, is one of
 * {@link dev.remus.tools.harness.IntSetExperiment}.
 *
 * <p>Depends on the framework, on the structures, and on {@code dev.remus.tools.harness}, {@code .plot} and {@code
 * .reproduce}.
 */
@NullMarked
package dev.remus.tools.reproduce.lists;

import org.jspecify.annotations.NullMarked;
