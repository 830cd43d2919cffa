// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import dev.remus.fabric.Words;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Plants mutants in a class. At each site, the code first asks {@link Switch} for the mutant to run:
 *
 * <pre>
 *   arguments on the stack                          arguments on the stack
 *   invokevirtual RemoteLong.store        =>        switch (Switch.select(17, 1))
 *                                                     1: invokestatic Substitutes.store     mutant 17
 *                                                     0: invokevirtual RemoteLong.store
 *
 *   lcmp                                            lcmp
 *   ifne L                                =>        Switch.decide(outcome, 18, IFNE)        mutant 18 jumps, 19 does not
 *                                                   ifne L
 * </pre>
 *
 * <p>Mutated are calls ({@link CallMutator}), branch conditions ({@link BranchMutator}) and locking ({@link
 * LockMutator}).
 */
final class ClassMutator {
    /** Methods that run before or after concurrent use, or only describe the structure. */
    private static final Set<String> NOT_MUTATED = Set.of(
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

    /**
     * The operations on mapped memory. The branches of methods that call them are not mutated: they decide whether
     * memory is mapped, which that of the simulator never is. The other decision would access the address 0, and so end
     * the JVM.
     */
    private static final String MAPPED_MEMORY = Type.getInternalName(Words.class);

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
        Area area = ClassesUnderTest.area(node.name.replace('/', '.')).orElse(Area.NODES);
        mutants.beginClass(node.name, area);
        for (MethodNode method : node.methods) {
            if (!NOT_MUTATED.contains(method.name)) {
                mutate(method, area == Area.LAYERS);
            }
        }
        ClassWriter writer = new Frames();
        node.accept(writer);
        return writer.toByteArray();
    }

    private void mutate(MethodNode method, boolean isLayer) {
        AbstractInsnNode[] instructions = method.instructions.toArray();
        LockMutator locks = new LockMutator(mutants, method, instructions);
        boolean usesMappedMemory = Arrays.stream(instructions).anyMatch(ClassMutator::accessesMappedMemory);
        for (AbstractInsnNode instruction : instructions) {
            if (instruction instanceof MethodInsnNode call) {
                calls.mutate(method, call);
            } else if (instruction instanceof JumpInsnNode jump && !usesMappedMemory) {
                branches.mutate(method, jump, isLayer);
            }
        }
        locks.mutate();
    }

    /** Whether an instruction accesses mapped memory by its address. */
    private static boolean accessesMappedMemory(AbstractInsnNode instruction) {
        return instruction instanceof MethodInsnNode call && call.owner.equals(MAPPED_MEMORY);
    }

    /** Finds common superclasses among the original classes. */
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
