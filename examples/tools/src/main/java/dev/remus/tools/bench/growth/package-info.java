// SPDX-License-Identifier: Apache-2.0
/** The suite {@code bench growth}: the longest operation on a hash map that grows under load. */
@NullMarked
package dev.remus.tools.bench.growth;

import org.jspecify.annotations.NullMarked;
