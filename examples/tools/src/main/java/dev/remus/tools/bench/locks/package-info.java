// SPDX-License-Identifier: Apache-2.0
/**
 * {@code bench locks}: the framework's locks beside those of Java and a lock in Redis. {@link
 * dev.remus.tools.bench.locks.LocksSuite} is the suite, {@code Contest} has threads compete for a lock, and {@code
 * LockSubject} lists the locks.
 */
@NullMarked
package dev.remus.tools.bench.locks;

import org.jspecify.annotations.NullMarked;
