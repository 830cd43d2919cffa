package dev.remus.fabric;

/**
 * One segment of a Memory Node, as a work request names it.
 *
 * @param memoryNode the id of the Memory Node that hosts it
 * @param index its number on that node, from 0
 * @param bytes its size
 * @param address where it starts in the Memory Node's own address space; only a fabric implementation uses it
 * @param rkey the key that the Memory Node gave out for it; a request with another key is refused
 */
public record RemoteSegment(int memoryNode, int index, long bytes, long address, int rkey) {}
