// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Mutates the locking of one method that releases a lock: the lock is not acquired, or is released before one of the
 * method's changes.
 */
final class LockMutator {
    private static final String LOCK_DESCRIPTOR = "(Ldev/remus/node/ComputeThread;)V";
    private static final String ACQUISITION = "dev/remus/lock/Acquisition";
    private static final String ACQUIRE_DESCRIPTOR = "(Ldev/remus/node/ComputeThread;)L" + ACQUISITION + ";";
    private static final Set<String> ACQUIRING = Set.of("acquire", "acquireConsistent", "lock");
    private static final Set<String> RELEASING = Set.of("release", "unlock");
    private static final Set<String> CHANGING =
            Set.of("store", "post", "write", "compareAndSet", "compareAndExchange", "compareAndSwap", "fetchAdd");

    private final MutantList mutants;
    private final MethodNode method;
    private final List<MethodInsnNode> acquiring = new ArrayList<>();
    private final List<MethodInsnNode> releasing = new ArrayList<>();

    /** Calls that change remote memory before the lock is released. */
    private final List<MethodInsnNode> changing = new ArrayList<>();

    /** @param instructions the method's instructions before any mutation */
    LockMutator(MutantList mutants, MethodNode method, AbstractInsnNode[] instructions) {
        this.mutants = mutants;
        this.method = method;
        for (AbstractInsnNode instruction : instructions) {
            if (instruction instanceof MethodInsnNode call && Code.isOurs(call)) {
                if (ACQUIRING.contains(call.name) && (call.desc.equals(LOCK_DESCRIPTOR) || isAcquire(call))) {
                    acquiring.add(call);
                } else if (RELEASING.contains(call.name) && call.desc.equals(LOCK_DESCRIPTOR)) {
                    releasing.add(call);
                } else if (CHANGING.contains(call.name) && releasing.isEmpty()) {
                    changing.add(call);
                }
            }
        }
    }

    /** Whether a call returns how the lock was acquired. */
    private static boolean isAcquire(MethodInsnNode call) {
        return call.desc.equals(ACQUIRE_DESCRIPTOR);
    }

    /** The instructions that load the operands of the release; empty if they are not plain loads. */
    private List<AbstractInsnNode> loads() {
        List<AbstractInsnNode> loads = new ArrayList<>();
        int missing = 2; // the object and the Compute Thread
        for (AbstractInsnNode at = Code.before(releasing.get(0)); missing > 0; at = Code.before(at)) {
            if (at == null) {
                return List.of();
            } else if (at.getOpcode() == Opcodes.ALOAD) {
                missing--;
            } else if (at.getOpcode() != Opcodes.GETFIELD) {
                return List.of();
            }
            loads.add(0, at);
        }
        return loads;
    }

    void mutate() {
        if (releasing.isEmpty()) {
            return;
        }
        List<AbstractInsnNode> loads = loads();
        int first = mutants.next();
        mutants.beginSite();
        if (!acquiring.isEmpty()) {
            mutants.add(mutants.place(method, acquiring.get(0).name), "left-out");
            acquiring.forEach(call -> omit(call, Code.select(first, 1)));
            releasing.forEach(call -> omit(call, Code.select(first, 1)));
        }
        if (!loads.isEmpty() && !changing.isEmpty()) {
            int isReleased = method.maxLocals++;
            for (MethodInsnNode change : changing) {
                int early = mutants.add(mutants.place(method, "before-" + change.name), "released-early");
                releaseBefore(change, loads, early, isReleased);
            }
            releasing.forEach(call -> omit(call, load(isReleased)));
            method.instructions.insert(set(isReleased, Opcodes.ICONST_0));
        }
    }

    private InsnList load(int variable) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(Opcodes.ILOAD, variable));
        return code;
    }

    private InsnList set(int variable, int value) {
        InsnList code = new InsnList();
        code.add(new InsnNode(value));
        code.add(new VarInsnNode(Opcodes.ISTORE, variable));
        return code;
    }

    /** @param code pushes whether to omit the call */
    private void omit(MethodInsnNode call, InsnList code) {
        LabelNode original = new LabelNode();
        LabelNode end = new LabelNode();
        code.add(new JumpInsnNode(Opcodes.IFEQ, original));
        code.add(new InsnNode(Opcodes.POP2));
        if (isAcquire(call)) {
            code.add(new FieldInsnNode(Opcodes.GETSTATIC, ACQUISITION, "NORMAL", "L" + ACQUISITION + ";"));
        }
        code.add(new JumpInsnNode(Opcodes.GOTO, end));
        code.add(original);
        method.instructions.insertBefore(call, code);
        method.instructions.insert(call, end);
    }

    private void releaseBefore(MethodInsnNode change, List<AbstractInsnNode> loads, int number, int isReleased) {
        MethodInsnNode release = releasing.get(0);
        LabelNode original = new LabelNode();
        InsnList code = Code.select(number, 1);
        code.add(new JumpInsnNode(Opcodes.IFEQ, original));
        loads.forEach(load -> code.add(load.clone(Map.of())));
        code.add(new MethodInsnNode(release.getOpcode(), release.owner, release.name, release.desc, release.itf));
        code.add(set(isReleased, Opcodes.ICONST_1));
        code.add(original);
        method.instructions.insertBefore(change, code);
    }
}
