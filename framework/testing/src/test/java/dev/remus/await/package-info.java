// SPDX-License-Identifier: Apache-2.0
/** Waits of tests for conditions that take a moment. */
package dev.remus.await;
