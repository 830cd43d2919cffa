/**
 * Speed, measured with JMH: each operation of the framework beside the processor instruction that it stands for, in the
 * same run and on the same memory, so that the ratio counts and not the machine.
 *
 * <p>Depends on the framework, the structures and JMH.
 */
package dev.remus.examples.bench;
