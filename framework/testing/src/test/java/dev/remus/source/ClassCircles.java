// SPDX-License-Identifier: Apache-2.0
package dev.remus.source;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SliceRule;
import java.util.Set;

/**
 * The rule that no classes depend on each other in a circle. A nested class counts as its outermost class. An
 * annotation may name the extension that reads it, as JUnit requires.
 */
public final class ClassCircles {
    private static final String ALL = "dev.remus.";

    private ClassCircles() {}

    /**
     * Returns the rule that there are no circles between classes, except within the given groups.
     *
     * @param known groups of classes that may depend on each other, each separated by blanks, without {@code
     *     dev.remus.}
     */
    public static ArchRule noneExcept(String... known) {
        SliceRule rule = slices().assignedFrom(new OutermostClasses())
                .should()
                .beFreeOfCycles()
                .as("there should be no circles between classes")
                .ignoreDependency(describe("are annotations", JavaClass::isAnnotation), describe("are any", c -> true));
        for (String group : known) {
            DescribedPredicate<JavaClass> isInGroup = isAmong(Set.of(group.split(" ")));
            rule = rule.ignoreDependency(isInGroup, isInGroup);
        }
        return rule.allowEmptyShould(false);
    }

    private static DescribedPredicate<JavaClass> isAmong(Set<String> names) {
        return describe(
                "is among " + names,
                c -> outermost(c).startsWith(ALL) && names.contains(outermost(c).substring(ALL.length())));
    }

    private static String outermost(JavaClass c) {
        return c.getName().replaceFirst("\\$.*", "");
    }

    /** Assigns each class of this project to a slice, together with its nested classes. */
    private static final class OutermostClasses implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass c) {
            return outermost(c).startsWith(ALL) ? SliceIdentifier.of(outermost(c)) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "outermost classes";
        }
    }
}
