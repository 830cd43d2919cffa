// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.litmus;

/**
 * The counts of a {@link Litmus} run.
 *
 * @param words words of 8 bytes read during WRITEs, alone or as part of a record
 * @param tornWords words that mixed bytes of different WRITEs; a fabric with torn words is unusable
 * @param records records of {@link Litmus#RECORD_BYTES} read during WRITEs
 * @param tornRecords records that mixed words of different WRITEs; allowed and expected
 * @param writes WRITEs of a word that completed while CASes failed on it
 * @param lostWrites WRITEs undone by a failing CAS that wrote the old value back; allowed and rare
 */
public record LitmusResult(long words, long tornWords, long records, long tornRecords, long writes, long lostWrites) {}
