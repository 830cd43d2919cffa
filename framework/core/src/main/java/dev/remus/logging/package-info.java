// SPDX-License-Identifier: Apache-2.0
/** The framework's loggers. Depends on no other package of the framework. */
@NullMarked
package dev.remus.logging;

import org.jspecify.annotations.NullMarked;
