// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * Mutates calls by replacing them with {@link Substitutes}, such as a WRITE for a COMPARE_AND_SWAP or an unplaced
 * store.
 */
final class CallMutator {
    private static final String SUBSTITUTES = Type.getInternalName(Substitutes.class);

    private final MutantList mutants;

    /** The substitutes, by name and descriptor of the replaced method. */
    private final Map<String, List<Method>> substitutes = new HashMap<>();

    CallMutator(MutantList mutants) {
        this.mutants = mutants;
        for (Method method : Substitutes.class.getDeclaredMethods()) {
            Mutation mutation = method.getAnnotation(Mutation.class);
            if (mutation != null) {
                substitutes
                        .computeIfAbsent(mutation.of() + descriptorWithoutReceiver(method), key -> new ArrayList<>())
                        .add(method);
            }
        }
    }

    private static String descriptorWithoutReceiver(Method method) {
        Type[] all = Type.getArgumentTypes(method);
        Type[] others = new Type[all.length - 1];
        System.arraycopy(all, 1, others, 0, others.length);
        return Type.getMethodDescriptor(Type.getReturnType(method), others);
    }

    void mutate(MethodNode method, MethodInsnNode call) {
        List<AbstractInsnNode> replacements = new ArrayList<>();
        List<String> mistakes = new ArrayList<>();
        for (Method substitute : substitutes.getOrDefault(call.name + call.desc, List.of())) {
            if (isCalledOn(call, substitute)) {
                replacements.add(new MethodInsnNode(
                        Opcodes.INVOKESTATIC, SUBSTITUTES, substitute.getName(), Type.getMethodDescriptor(substitute)));
                mistakes.add(substitute.getAnnotation(Mutation.class).name());
            }
        }
        if (call.owner.equals("dev/remus/node/FreeLists") && call.name.equals("defer")) {
            replacements.add(new MethodInsnNode(call.getOpcode(), call.owner, "put", call.desc));
            mistakes.add("freed-early");
        }
        if (!replacements.isEmpty()) {
            mutants.beginSite();
            String place = mutants.place(method, call.name);
            int first = mutants.next();
            mistakes.forEach(mistake -> mutants.add(place, mistake));
            replace(method, call, first, replacements);
        }
    }

    private static boolean isCalledOn(MethodInsnNode call, Method substitute) {
        if (!Code.isOurs(call) || call.getOpcode() == Opcodes.INVOKESTATIC) {
            return false;
        }
        try {
            Class<?> owner = Class.forName(call.owner.replace('/', '.'), false, CallMutator.class.getClassLoader());
            return substitute.getParameterTypes()[0].isAssignableFrom(owner);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void replace(
            MethodNode method, AbstractInsnNode original, int first, List<AbstractInsnNode> replacements) {
        LabelNode end = new LabelNode();
        LabelNode unchanged = new LabelNode();
        LabelNode[] labels = new LabelNode[replacements.size()];
        InsnList code = Code.select(first, replacements.size());
        for (int i = 0; i < labels.length; i++) {
            labels[i] = new LabelNode();
        }
        code.add(new TableSwitchInsnNode(1, labels.length, unchanged, labels));
        for (int i = 0; i < labels.length; i++) {
            code.add(labels[i]);
            code.add(replacements.get(i));
            code.add(new JumpInsnNode(Opcodes.GOTO, end));
        }
        code.add(unchanged);
        method.instructions.insertBefore(original, code);
        method.instructions.insert(original, end);
    }
}
