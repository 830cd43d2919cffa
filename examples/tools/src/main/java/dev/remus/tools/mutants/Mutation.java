package dev.remus.tools.mutants;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a static method that a mutant calls in the place of an instance method: its first parameter is the object on which
 * that was called, the others and the result are the same.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Mutation {
    /** The name of the method that is replaced. */
    String of();

    /** What the mutant is called: the last part of its name. */
    String name();
}
