// SPDX-License-Identifier: Apache-2.0
/** Tests of the scripts, files and pages in {@code cloudlab/}, with machines that are addresses of this one. */
package dev.remus.cloudlab;
