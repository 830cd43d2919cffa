// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.tools.bench.suite.OtherLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The result of one subject on one JDK. */
final class Outcome {
    private final Subject subject;
    private final Optional<Measurement> reference;
    private final Optional<Measurement> thread;
    private final Optional<Measurement> field;

    /** @param measured by JMH benchmark name, without benchmarks that failed */
    Outcome(Subject subject, Map<String, Measurement> measured) {
        this.subject = subject;
        this.reference = Optional.ofNullable(measured.get(subject.reference()));
        this.thread = Optional.ofNullable(measured.get(subject.thread()));
        this.field = subject.field().map(measured::get);
    }

    Subject subject() {
        return subject;
    }

    Optional<Measurement> reference() {
        return reference;
    }

    Optional<Measurement> thread() {
        return thread;
    }

    Optional<Measurement> field() {
        return field;
    }

    /** The time of a form of the operation divided by the reference's time. */
    Optional<Double> ratio(Optional<Measurement> form) {
        return reference.flatMap(base -> form.map(measured -> measured.ratioTo(base)));
    }

    /** The largest allocation per operation of any form. */
    Optional<Double> bytes() {
        return forms().stream().map(Measurement::bytes).max(Double::compare);
    }

    boolean isComplete() {
        return reference.isPresent()
                && thread.isPresent()
                && (field.isPresent() || subject.field().isEmpty());
    }

    /** {@code ok}, {@code MISS}, {@code did not run}, or that others used too much of the processors meanwhile. */
    String verdict(double otherLoad) {
        return isComplete() ? OtherLoad.verdict(misses().isEmpty(), otherLoad) : "did not run";
    }

    /** Whether a form of the operation exceeds its target time. */
    boolean isTooSlow() {
        return isComplete()
                && (thread.filter(form -> isTooSlow(form, subject.target())).isPresent()
                        || field.filter(form -> isTooSlow(form, subject.fieldTarget()))
                                .isPresent());
    }

    private boolean isTooSlow(Measurement form, Target target) {
        return !target.isMetBy(form.nanos(), reference.orElseThrow().nanos());
    }

    /** A short description of each missed target. */
    List<String> misses() {
        List<String> misses = new ArrayList<>();
        if (isComplete()) {
            addMisses("", thread, subject.target(), misses);
            addMisses(" as a field", field, subject.fieldTarget(), misses);
        }
        return misses;
    }

    private void addMisses(String how, Optional<Measurement> form, Target target, List<String> misses) {
        Measurement base = reference.orElseThrow();
        form.ifPresent(measured -> {
            if (isTooSlow(measured, target)) {
                misses.add(String.format(
                        Locale.ROOT,
                        "%.2fx (%+.1f ns)%s, target %s",
                        measured.ratioTo(base),
                        measured.nanos() - base.nanos(),
                        how,
                        target));
            }
            if (!measured.allocatesNoMoreThan(base)) {
                misses.add(String.format(Locale.ROOT, "%.1f B/op%s, target %.0f", measured.bytes(), how, base.bytes()));
            }
        });
    }

    private List<Measurement> forms() {
        List<Measurement> forms = new ArrayList<>();
        thread.ifPresent(forms::add);
        field.ifPresent(forms::add);
        return forms;
    }
}
