// SPDX-License-Identifier: Apache-2.0
/** Tests of the scripts in {@code .ci}, of the programs that code may start, and of the time limits of tests. */
package dev.remus.launcher.ci;
