/** Waits of tests for conditions that take a moment. */
package dev.remus.await;
