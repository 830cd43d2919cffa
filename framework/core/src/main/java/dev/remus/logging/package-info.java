/**
 * How the framework gets its loggers. Depends on nothing of ours.
 */
@NullMarked
package dev.remus.logging;

import org.jspecify.annotations.NullMarked;
