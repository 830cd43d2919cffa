// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a static method that a mutant calls instead of an instance method. Its first parameter is the receiver; the
 * other parameters and the result are the same.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Mutation {
    /** The name of the replaced method. */
    String of();

    /** The last part of the mutant's name. */
    String name();
}
