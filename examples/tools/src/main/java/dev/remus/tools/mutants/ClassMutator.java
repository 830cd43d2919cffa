package dev.remus.tools.mutants;

import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Puts mutants into a class. At each place where there can be some, the code first asks {@link Switch} which of them runs:
 *
 * <pre>
 *   arguments on the stack                          arguments on the stack
 *   invokevirtual RemoteLong.store        =>        switch (Switch.select(17, 1))
 *                                                     1: invokestatic Substitutes.store     mutant 17
 *                                                     0: invokevirtual RemoteLong.store
 *
 *   lcmp                                            lcmp
 *   ifne L                                =>        Switch.decide(outcome, 18, 1, 0)        mutant 18 jumps, 19 does not
 *                                                   ifne L
 * </pre>
 *
 * <p>What is replaced: calls ({@link CallMutator}), what branches depend on ({@link BranchMutator}) and locking ({@link
 * LockMutator}).
 */
final class ClassMutator {
    /** These run while nobody else has the structure, or are for people who read messages. */
    private static final Set<String> LEFT_ALONE = Set.of(
            "<init>",
            "<clinit>",
            "create",
            "destroy",
            "toString",
            "describe",
            "state",
            "holder",
            "check",
            "checkedSize",
            "checkOpen");

    private final MutantList mutants = new MutantList();
    private final CallMutator calls = new CallMutator(mutants);
    private final BranchMutator branches = new BranchMutator(mutants);

    /** All mutants so far. */
    List<Mutant> mutants() {
        return mutants.all();
    }

    /** The class with its mutants. */
    byte[] mutate(byte[] code) {
        ClassNode node = new ClassNode();
        ClassReader reader = new ClassReader(code);
        reader.accept(node, ClassReader.SKIP_FRAMES);
        mutants.beginClass(node.name);
        for (MethodNode method : node.methods) {
            if (!LEFT_ALONE.contains(method.name)) {
                mutate(method);
            }
        }
        ClassWriter writer = new Frames();
        node.accept(writer);
        return writer.toByteArray();
    }

    private void mutate(MethodNode method) {
        AbstractInsnNode[] instructions = method.instructions.toArray();
        LockMutator locks = new LockMutator(mutants, method, instructions);
        for (AbstractInsnNode instruction : instructions) {
            if (instruction instanceof MethodInsnNode call) {
                calls.mutate(method, call);
            } else if (instruction instanceof JumpInsnNode jump) {
                branches.mutate(method, jump);
            }
        }
        locks.mutate();
    }

    /** Finds common superclasses among the classes as they were. */
    private static final class Frames extends ClassWriter {
        Frames() {
            super(ClassWriter.COMPUTE_FRAMES);
        }

        @Override
        protected ClassLoader getClassLoader() {
            return ClassMutator.class.getClassLoader();
        }
    }
}
