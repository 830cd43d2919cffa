/** Helpers for tests of the sources themselves. */
package dev.remus.source;
