package dev.remus.node;

/**
 * How full a segment is. Blocks that were freed count as used: they are kept for the next allocation.
 *
 * @param memoryNode the id of its Memory Node
 * @param segment its number there, from 0
 * @param used bytes that have been allocated at some time, the header included
 * @param bytes how many can be
 */
public record SegmentUse(int memoryNode, int segment, long used, long bytes) {}
