// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Finds undocumented public declarations in a module. It requires a comment on everything that is public or protected,
 * except on overriding methods; {@code @param} for type parameters of types and for components of records; {@code
 * @throws} for checked exceptions; and a {@code package-info.java} in each package. It does not require tags that would
 * repeat the first sentence.
 */
public final class PublicDocumentation extends TreePathScanner<Void, Void> {
    private static final Set<Modifier> VISIBLE = Set.of(Modifier.PUBLIC, Modifier.PROTECTED);

    private final DocTrees docs;
    private final List<String> gaps = new ArrayList<>();

    private PublicDocumentation(DocTrees docs) {
        this.docs = docs;
    }

    /**
     * Lists each gap as a file, a line and a few words.
     *
     * @param sources the folder in which packages begin
     * @throws IOException if the folder cannot be read
     */
    public static List<String> gaps(Path sources) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("module-info.java"))
                    .toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    manager,
                    null,
                    List.of("-proc:none", "-encoding", "UTF-8"),
                    null,
                    manager.getJavaFileObjectsFromPaths(files));
            PublicDocumentation scanner = new PublicDocumentation(DocTrees.instance(task));
            for (CompilationUnitTree file : task.parse()) {
                scanner.scan(file, null);
            }
            scanner.checkPackages(files);
            return scanner.gaps;
        }
    }

    private void checkPackages(List<Path> files) {
        Set<Path> packages = new TreeSet<>();
        files.forEach(file -> packages.add(file.getParent()));
        packages.removeIf(folder -> Files.exists(folder.resolve("package-info.java")));
        packages.forEach(folder -> gaps.add(folder + ": no package-info.java"));
    }

    @Override
    public Void visitClass(ClassTree type, Void none) {
        if (!isVisible(type.getModifiers())) {
            return null; // so nothing in it is public
        }
        String comment = comment(type, type.getSimpleName());
        type.getTypeParameters().forEach(p -> demand(type, comment, "@param <" + p.getName() + ">"));
        if (type.getKind() == Tree.Kind.RECORD) {
            for (Tree member : type.getMembers()) {
                if (member instanceof VariableTree component
                        && !component.getModifiers().getFlags().contains(Modifier.STATIC)) {
                    demand(type, comment, "@param " + component.getName());
                }
            }
        }
        return super.visitClass(type, none);
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
        if (isVisible(method.getModifiers()) && !overrides(method.getModifiers())) {
            String comment = comment(method, method.getName());
            method.getThrows().forEach(thrown -> demand(method, comment, "@throws " + thrown));
        }
        return null; // declarations inside a method are not public
    }

    @Override
    public Void visitVariable(VariableTree field, Void none) {
        if (isVisible(field.getModifiers())) {
            comment(field, field.getName());
        }
        return null;
    }

    /** Whether a declaration is visible, by its modifiers or as a member of an interface. */
    private boolean isVisible(ModifiersTree modifiers) {
        boolean isInInterface = getCurrentPath().getParentPath() != null
                && (getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.INTERFACE
                        || getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.ANNOTATION_TYPE);
        return modifiers.getFlags().stream().anyMatch(VISIBLE::contains)
                || isInInterface && !modifiers.getFlags().contains(Modifier.PRIVATE);
    }

    private static boolean overrides(ModifiersTree modifiers) {
        return modifiers.getAnnotations().stream()
                .map(AnnotationTree::getAnnotationType)
                .anyMatch(type -> type.toString().equals("Override"));
    }

    private String comment(Tree tree, CharSequence name) {
        String comment = docs.getDocComment(getCurrentPath());
        if (comment == null) {
            gaps.add(place(tree) + "no comment on " + name);
        }
        return comment == null ? "" : comment;
    }

    private void demand(Tree tree, String comment, String tag) {
        if (!comment.isEmpty() && !comment.contains(tag)) {
            gaps.add(place(tree) + "no " + tag);
        }
    }

    private String place(Tree tree) {
        CompilationUnitTree file = getCurrentPath().getCompilationUnit();
        long start = docs.getSourcePositions().getStartPosition(file, tree);
        return file.getSourceFile().getName() + ":" + file.getLineMap().getLineNumber(start) + ": ";
    }
}
