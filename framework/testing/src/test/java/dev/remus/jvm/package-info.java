// SPDX-License-Identifier: Apache-2.0
/** An archive of classes that makes the Java VMs of tests start faster. */
package dev.remus.jvm;
