// SPDX-License-Identifier: Apache-2.0
/** Random input for tests that pass anything to the framework and accept documented exceptions only. */
package dev.remus.fuzz;
