// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.remus.source.ProductionCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Callers can name each type that a public signature has: it is public too. */
@AnalyzeClasses(packages = "dev.remus", importOptions = ProductionCode.class)
@ArchTag("any-jdk")
class PublicSignaturesTest {
    @ArchTest
    static final ArchRule everyTypeInAPublicSignatureIsPublic =
            classes().that(areCallable()).should(haveOnlyPublicTypesInPublicSignatures());

    private static DescribedPredicate<JavaClass> areCallable() {
        return DescribedPredicate.describe("are public to the outermost", PublicSignaturesTest::isCallable);
    }

    private static boolean isCallable(JavaClass type) {
        JavaClass element = type.getBaseComponentType();
        Optional<JavaClass> outer = element.getEnclosingClass();
        return (element.isPrimitive() || element.getModifiers().contains(JavaModifier.PUBLIC))
                && (outer.isEmpty() || isCallable(outer.get()));
    }

    private static ArchCondition<JavaClass> haveOnlyPublicTypesInPublicSignatures() {
        return new ArchCondition<>("have only public types in public signatures") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaMember member : type.getMembers()) {
                    if (isVisibleTo(type, member)) {
                        types(member).stream()
                                .flatMap(named -> named.getAllInvolvedRawTypes().stream())
                                .filter(named -> named.getPackageName().startsWith("dev.remus") && !isCallable(named))
                                .forEach(named -> events.add(SimpleConditionEvent.violated(
                                        member, member.getFullName() + " names " + named.getName())));
                    }
                }
            }
        };
    }

    private static boolean isVisibleTo(JavaClass type, JavaMember member) {
        boolean isProtected = member.getModifiers().contains(JavaModifier.PROTECTED)
                && !type.getModifiers().contains(JavaModifier.FINAL);
        return (member.getModifiers().contains(JavaModifier.PUBLIC) || isProtected)
                && !member.getModifiers().contains(JavaModifier.SYNTHETIC);
    }

    private static List<JavaType> types(JavaMember member) {
        List<JavaType> types = new ArrayList<>();
        if (member instanceof JavaCodeUnit unit) {
            types.add(unit.getReturnType());
            types.addAll(unit.getParameterTypes());
        } else if (member instanceof JavaField field) {
            types.add(field.getType());
        }
        return types;
    }
}
