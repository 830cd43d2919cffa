// SPDX-License-Identifier: Apache-2.0
/** Tests of the virtual machine with an RDMA device, {@code examples/rxe-vm}. */
package dev.remus.launcher.rxevm;
