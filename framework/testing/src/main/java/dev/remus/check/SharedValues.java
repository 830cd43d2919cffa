// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out which operations of a history are about one value, from their texts: the one that brought it, and those
 * that returned it, such as {@code push 25} and all {@code pop} with the result {@code 25}. Only a value that one
 * operation alone has as an argument counts, since others, such as the key of a set or the number to add, may be the
 * same by chance.
 */
final class SharedValues<O, R> implements Function<Invocation<O, R>, Object> {
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_.-]+");

    /** By value: the operation that brought it. */
    private final Map<String, Integer> producers = new HashMap<>();

    /** By the id of an operation: the one whose value it brought or returned. */
    private final Map<Integer, Integer> groups = new HashMap<>();

    SharedValues(History<O, R> history) {
        Set<String> ambiguous = new HashSet<>();
        for (Invocation<O, R> invocation : history.invocations()) {
            for (String value : arguments(invocation)) {
                Integer before = producers.putIfAbsent(value, invocation.id());
                if (before != null && before != invocation.id()) {
                    ambiguous.add(value);
                }
            }
        }
        producers.keySet().removeAll(ambiguous);
        for (Invocation<O, R> invocation : history.invocations()) {
            for (String value : results(invocation)) {
                Integer producer = producers.get(value);
                if (producer != null && producer != invocation.id()) {
                    groups.putIfAbsent(invocation.id(), producer);
                }
            }
        }
    }

    /** The words of the operation, without its name. */
    private static List<String> arguments(Invocation<?, ?> invocation) {
        List<String> words = words(invocation.operation());
        return words.subList(Math.min(1, words.size()), words.size());
    }

    private static List<String> results(Invocation<?, ?> invocation) {
        return invocation.isPending() ? List.of() : words(invocation.result());
    }

    private static List<String> words(Object text) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(String.valueOf(text));
        while (matcher.find()) {
            words.add(matcher.group());
        }
        return words;
    }

    @Override
    public Object apply(Invocation<O, R> invocation) {
        return groups.getOrDefault(invocation.id(), invocation.id());
    }
}
