// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * One segment of a Memory Node, as work requests name it.
 *
 * @param memoryNode the id of the Memory Node that hosts it
 * @param index its number on that node, from 0
 * @param bytes its size
 * @param address its start in the Memory Node's own address space; only fabric implementations use it
 * @param rkey the key that the Memory Node has assigned to it; a request with another key is refused
 */
public record RemoteSegment(int memoryNode, int index, long bytes, long address, int rkey) {}
