// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The public API of a module as text: all types of the packages that it exports to everybody, with the members that
 * other code can use, one a line and in order. The text does not depend on the release of Java.
 */
final class PublicApi {
    private static final int USABLE = Modifier.PUBLIC | Modifier.PROTECTED;
    private static final int SHOWN = USABLE | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;

    private PublicApi() {}

    private static ModuleReference module(Class<?> member) throws URISyntaxException {
        Path place = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        return ModuleFinder.of(place).findAll().stream().findFirst().orElseThrow();
    }

    private static Set<String> exported(ModuleDescriptor module) {
        return module.exports().stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The packages of the module in which a class is that it does not export, or only to some modules. */
    static Set<String> notExported(Class<?> member) throws URISyntaxException {
        ModuleDescriptor module = module(member).descriptor();
        Set<String> packages = new TreeSet<>(module.packages());
        packages.removeAll(exported(module));
        return packages;
    }

    /** The text of the module in which a class is. */
    static String of(Class<?> member) throws IOException, URISyntaxException {
        ModuleReference module = module(member);
        Set<String> exported = exported(module.descriptor());
        List<String> lines = new ArrayList<>();
        try (ModuleReader reader = module.open();
                Stream<String> files = reader.list()) {
            files.filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                    .map(file -> file.substring(0, file.length() - ".class".length())
                            .replace('/', '.')
                            .replace(File.separatorChar, '.'))
                    .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
                    .sorted()
                    .forEach(name -> add(lines, load(name)));
        }
        return String.join("\n", lines) + "\n";
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApi.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(name, e);
        }
    }

    private static void add(List<String> lines, Class<?> type) {
        if (!isUsable(type)) {
            return;
        }
        lines.add(heading(type));
        Set<String> members = new TreeSet<>();
        boolean isOpen = !Modifier.isFinal(type.getModifiers());
        for (Field field : type.getDeclaredFields()) {
            if (isUsable(field.getModifiers(), isOpen) && !field.isSynthetic()) {
                members.add(modifiers(field.getModifiers()) + type(field.getGenericType(), field.getAnnotatedType())
                        + " " + field.getName());
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isUsable(constructor.getModifiers(), isOpen) && !constructor.isSynthetic()) {
                members.add(modifiers(constructor.getModifiers()) + "new" + signature(constructor));
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isUsable(method.getModifiers(), isOpen) && !method.isSynthetic()) {
                members.add((method.isDefault() ? "default " : "") + modifiers(method.getModifiers())
                        + type(method.getGenericReturnType(), method.getAnnotatedReturnType()) + " " + method.getName()
                        + signature(method));
            }
        }
        members.forEach(member -> lines.add("    " + member));
    }

    private static boolean isUsable(int modifiers, boolean isOpen) {
        return Modifier.isPublic(modifiers) || isOpen && Modifier.isProtected(modifiers);
    }

    /** Whether code in other modules can name the type. */
    private static boolean isUsable(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        boolean isVisible = (type.getModifiers() & USABLE) != 0 && !type.isAnonymousClass() && !type.isLocalClass();
        return isVisible && (outer == null || isUsable(outer));
    }

    private static String heading(Class<?> type) {
        String kind = type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        Type parent = type.getGenericSuperclass();
        List<String> above = new ArrayList<>();
        if (kind.equals("class") && parent != null && parent != Object.class) {
            above.add(name(parent));
        }
        Arrays.stream(type.getGenericInterfaces()).map(PublicApi::name).sorted().forEach(above::add);
        String parameters = type.getTypeParameters().length == 0
                ? ""
                : Arrays.stream(type.getTypeParameters())
                        .map(variable -> variable.getName()
                                + Arrays.stream(variable.getBounds())
                                        .filter(bound -> bound != Object.class)
                                        .map(bound -> " extends " + name(bound))
                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining(", ", "<", ">"));
        return modifiers(type.getModifiers() & ~(type.isInterface() || type.isEnum() ? Modifier.FINAL : 0)) + kind + " "
                + type.getName() + parameters + (above.isEmpty() ? "" : " : " + String.join(", ", above));
    }

    private static String modifiers(int modifiers) {
        String text = Modifier.toString(modifiers & SHOWN & ~Modifier.PUBLIC);
        return text.isEmpty() ? "" : text + " ";
    }

    private static String signature(Executable executable) {
        Type[] types = executable.getGenericParameterTypes();
        AnnotatedType[] annotated = executable.getAnnotatedParameterTypes();
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            parameters.add(types.length == annotated.length ? type(types[i], annotated[i]) : name(types[i]));
        }
        String thrown = Arrays.stream(executable.getGenericExceptionTypes())
                .map(PublicApi::name)
                .sorted()
                .collect(Collectors.joining(", "));
        return "(" + String.join(", ", parameters) + (executable.isVarArgs() ? " ..." : "") + ")"
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String type(Type type, AnnotatedType annotated) {
        return (annotated.isAnnotationPresent(Nullable.class) ? "@Nullable " : "") + name(type);
    }

    private static String name(Type type) {
        return type.getTypeName().replaceAll("\\bjava\\.(lang|util)\\.(?=[A-Z])", "");
    }
}
