package dev.remus.tools.litmus;

/**
 * What {@link Litmus} has counted.
 *
 * @param words how many words of 8 bytes were read while they were written to, alone or as part of a record
 * @param tornWords how many of them had bytes of different WRITEs; a fabric on which there are any cannot be used
 * @param records how many records of {@link Litmus#RECORD_BYTES} were read while they were written to
 * @param tornRecords how many of them had words of different WRITEs; allowed, and to be expected
 * @param writes how many WRITEs of a word completed while CASes failed on it
 * @param lostWrites how many of them were undone by a failing CAS that wrote the old value back; allowed, and rare
 */
public record LitmusResult(long words, long tornWords, long records, long tornRecords, long writes, long lostWrites) {}
