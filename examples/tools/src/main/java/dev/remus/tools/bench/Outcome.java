package dev.remus.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What came out for one subject on one Java. */
final class Outcome {
    private final Subject subject;
    private final Optional<Measurement> reference;
    private final Optional<Measurement> thread;
    private final Optional<Measurement> field;

    /** @param measured by the name of the JMH benchmark; what could not run is missing */
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

    /** How many times as long as the reference a form of the operation takes. */
    Optional<Double> ratio(Optional<Measurement> form) {
        return reference.flatMap(base -> form.map(measured -> measured.ratioTo(base)));
    }

    /** The most that any form allocates per operation. */
    Optional<Double> bytes() {
        return forms().stream().map(Measurement::bytes).max(Double::compare);
    }

    boolean isComplete() {
        return reference.isPresent()
                && thread.isPresent()
                && (field.isPresent() || subject.field().isEmpty());
    }

    /** {@code ok}, {@code MISS} or {@code did not run}. */
    String verdict() {
        if (!isComplete()) {
            return "did not run";
        }
        return misses().isEmpty() ? "ok" : "MISS";
    }

    /** Whether some form takes longer than the target allows. */
    boolean isTooSlow() {
        return isComplete() && forms().stream().anyMatch(this::isTooSlow);
    }

    private boolean isTooSlow(Measurement form) {
        return !subject.target().isMetBy(form.nanos(), reference.orElseThrow().nanos());
    }

    /** What misses the target, each in a few words. */
    List<String> misses() {
        List<String> misses = new ArrayList<>();
        if (isComplete()) {
            addMisses("", thread, misses);
            addMisses(" as a field", field, misses);
        }
        return misses;
    }

    private void addMisses(String how, Optional<Measurement> form, List<String> misses) {
        Measurement base = reference.orElseThrow();
        form.ifPresent(measured -> {
            if (isTooSlow(measured)) {
                misses.add(String.format(
                        Locale.ROOT,
                        "%.2fx (%+.1f ns)%s, target %s",
                        measured.ratioTo(base),
                        measured.nanos() - base.nanos(),
                        how,
                        subject.target()));
            }
            if (!measured.allocatesNothing()) {
                misses.add(String.format(Locale.ROOT, "%.1f B/op%s, target 0", measured.bytes(), how));
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
