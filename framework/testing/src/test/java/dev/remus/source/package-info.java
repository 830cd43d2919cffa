// SPDX-License-Identifier: Apache-2.0
/** Helpers for tests of the sources themselves. */
package dev.remus.source;
