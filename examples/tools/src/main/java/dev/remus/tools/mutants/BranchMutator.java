package dev.remus.tools.mutants;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Lets a branch that depends on a comparison of words or on the answer of a predicate always be taken, or never. A
 * validation, a generation check or the result of a COMPARE_AND_SWAP is thus left out or answered wrongly. Not where one
 * side only throws: that is how misuse is refused.
 */
final class BranchMutator {
    private final MutantList mutants;

    BranchMutator(MutantList mutants) {
        this.mutants = mutants;
    }

    void mutate(MethodNode method, JumpInsnNode jump) {
        AbstractInsnNode before = Code.before(jump);
        String what;
        if (before != null && before.getOpcode() == Opcodes.LCMP) {
            what = "compare";
        } else if (before instanceof MethodInsnNode call && isPredicate(call)) {
            what = call.name;
        } else {
            return;
        }
        int[] outcomes = outcomes(jump.getOpcode());
        if (outcomes.length == 0 || leadsToThrow(jump.getNext()) || leadsToThrow(jump.label)) {
            return;
        }
        mutants.beginSite();
        String place = mutants.place(method, what);
        int first = mutants.add(place, "jumps");
        mutants.add(place, "falls");
        method.instructions.insertBefore(jump, Code.decide(first, outcomes[0], outcomes[1]));
    }

    /** Whether this is where a misuse is refused, which no right program sees. */
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

    /** With what on the stack a branch is taken, and with what it is not. */
    private static int[] outcomes(int opcode) {
        return switch (opcode) {
            case Opcodes.IFEQ -> new int[] {0, 1};
            case Opcodes.IFNE -> new int[] {1, 0};
            case Opcodes.IFLT -> new int[] {-1, 0};
            case Opcodes.IFGE -> new int[] {0, -1};
            case Opcodes.IFGT -> new int[] {1, 0};
            case Opcodes.IFLE -> new int[] {0, 1};
            default -> new int[0];
        };
    }
}
