// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.Setting;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import dev.remus.source.ProductionCode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Every option has an effect: a method with parsed arguments reads it, and every setting of a cluster is read outside
 * the packages for configuration and options.
 */
@AnalyzeClasses(packages = "dev.remus", importOptions = ProductionCode.class)
@ArchTag("any-jdk")
class OptionsAreReadTest {
    @ArchTest
    static void everyOptionIsRead(JavaClasses classes) {
        List<JavaField> options = classes.stream()
                .flatMap(owner -> owner.getFields().stream())
                .filter(field -> field.getRawType().isEquivalentTo(OptionSpec.class))
                .filter(field -> !field.getOwner().getPackageName().equals("dev.remus.options")
                        || field.getOwner().getSimpleName().equals("RemusOptions"))
                .toList();
        assertThat(options).hasSizeGreaterThan(80);
        assertThat(options.stream().filter(option -> !isRead(option)).map(JavaField::getFullName))
                .isEmpty();
    }

    private static boolean isRead(JavaField option) {
        return option.getAccessesToSelf().stream().anyMatch(access -> hasArguments(access.getOrigin()));
    }

    private static boolean hasArguments(JavaCodeUnit reader) {
        return reader.getRawParameterTypes().stream().anyMatch(OptionsAreReadTest::isArguments)
                || reader.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> isArguments(call.getTargetOwner()) || isNameOfOption(call));
    }

    /** Covers options that are searched for before the command line is parsed. */
    private static boolean isNameOfOption(JavaMethodCall call) {
        return call.getTargetOwner().isEquivalentTo(OptionSpec.class)
                && call.getName().equals("name");
    }

    private static boolean isArguments(JavaClass type) {
        return type.isEquivalentTo(Arguments.class);
    }

    @ArchTest
    static void everyValueOfAConfigurationIsRead(JavaClasses classes) {
        Set<JavaField> values = classes.get(ClusterSettings.class).getFields().stream()
                .filter(field -> field.getRawType().isEquivalentTo(Setting.class))
                .collect(Collectors.toSet());
        assertThat(values).hasSizeGreaterThan(15);
        assertThat(values.stream().filter(value -> !isRead(value, classes)).map(JavaField::getName))
                .isEmpty();
    }

    private static boolean isRead(JavaField value, JavaClasses classes) {
        JavaClass config = classes.get(ClusterConfig.class);
        return value.getAccessesToSelf().stream()
                .map(access -> access.getOrigin())
                .anyMatch(reader -> reader.getOwner().equals(config)
                        ? isCalledOutside(reader, config, new HashSet<>())
                        : isOutside(reader));
    }

    private static boolean isOutside(JavaCodeUnit reader) {
        String name = reader.getOwner().getPackageName();
        return !name.equals("dev.remus.config") && !name.equals("dev.remus.options");
    }

    /** Whether a method is called outside, directly or through other methods of the configuration. */
    private static boolean isCalledOutside(JavaCodeUnit method, JavaClass config, Set<JavaCodeUnit> seen) {
        return seen.add(method)
                && method.getAccessesToSelf().stream()
                        .map(JavaAccess::getOrigin)
                        .anyMatch(caller -> caller.getOwner().equals(config)
                                ? isCalledOutside(caller, config, seen)
                                : isOutside(caller));
    }
}
