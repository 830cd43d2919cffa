// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Mutates branches that depend on a comparison of words or on a predicate: one mutant always takes the branch, another
 * never does. This skips or falsifies a validation, a generation check or the result of a COMPARE_AND_SWAP. In the
 * {@linkplain Area#LAYERS layers}, which keep their state in flags and counts, all conditions are mutated.
 * Branches with a side that only throws are exempt, because they reject misuse.
 */
final class BranchMutator {
    private final MutantList mutants;

    BranchMutator(MutantList mutants) {
        this.mutants = mutants;
    }

    /** @param allConditions whether a condition need not depend on a comparison of words or on a predicate */
    void mutate(MethodNode method, JumpInsnNode jump, boolean allConditions) {
        AbstractInsnNode before = Code.before(jump);
        String what;
        if (before != null && before.getOpcode() == Opcodes.LCMP) {
            what = "compare";
        } else if (before instanceof MethodInsnNode call && isPredicate(call)) {
            what = call.name;
        } else if (allConditions && before != null && !skipsAssertion(before)) {
            what = "test";
        } else {
            return;
        }
        boolean comparesInts = jump.getOpcode() >= Opcodes.IF_ICMPEQ && jump.getOpcode() <= Opcodes.IF_ICMPLE;
        int opcode = comparesInts ? jump.getOpcode() - Opcodes.IF_ICMPEQ + Opcodes.IFEQ : jump.getOpcode();
        if (!BranchOpcode.isSupported(opcode) || leadsToThrow(jump.getNext()) || leadsToThrow(jump.label)) {
            return;
        }
        mutants.beginSite();
        String place = mutants.place(method, what);
        int first = mutants.add(place, "jumps");
        mutants.add(place, "falls");
        if (comparesInts) {
            method.instructions.insertBefore(
                    jump, new MethodInsnNode(Opcodes.INVOKESTATIC, "java/lang/Integer", "compare", "(II)I"));
            jump.setOpcode(opcode);
        }
        method.instructions.insertBefore(jump, Code.decide(first, opcode));
    }

    /** Whether a branch skips an assertion of Java. */
    private static boolean skipsAssertion(AbstractInsnNode before) {
        return before instanceof FieldInsnNode field && field.name.equals("$assertionsDisabled");
    }

    /** Whether the code from here rejects a misuse, which no correct program reaches. */
    private static boolean leadsToThrow(AbstractInsnNode from) {
        AbstractInsnNode at = from;
        while (at != null && !(at instanceof JumpInsnNode) && at.getOpcode() != Opcodes.ATHROW) {
            boolean isReturn = at.getOpcode() >= Opcodes.IRETURN && at.getOpcode() <= Opcodes.RETURN;
            at = isReturn ? null : at.getNext();
        }
        return at != null && at.getOpcode() == Opcodes.ATHROW;
    }

    private static boolean isPredicate(MethodInsnNode call) {
        return Code.isOurs(call) && call.desc.endsWith(")Z");
    }
}
