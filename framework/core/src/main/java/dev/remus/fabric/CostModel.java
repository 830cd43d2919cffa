// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.Suggestion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * The cost of operations on some hardware, for simulations that predict durations and for {@code --latency}.
 * The figures come from a file, each with its source:
 *
 * <pre>
 *   latency.read = 2000                      nanoseconds from posting to completion, with no other traffic
 *   latency.read.source = ...                the publication or measurement, and the hardware
 * </pre>
 *
 * <p>A request leaves its node when that node's card is free, and occupies that card for {@code gap}. It reaches the
 * Memory Node's card after half of the latency, and is executed once that card is free too. That card is then busy for
 * {@code gap} or for the transfer of the bytes, whichever is longer. An atomic also waits for the card's atomic unit
 * and for earlier atomics on the same word. The completion takes the other half, and no thread sees it before. It does
 * not overtake the completion of an earlier request on the same lane. Work of a processor costs nothing.
 *
 * <p>An access to the node's own memory goes through the card too, unless the file has local latencies:
 *
 * <pre>
 *   latency.local.read = 29                  and latency.local.write, latency.local.atomic, gap.local.address
 * </pre>
 *
 * <p>Then it takes that time and does not use the card.
 *
 * <p>The gap is that of LogP (D. Culler et al., PPoPP 1993).
 *
 * @param name its name
 * @param read latency of a READ, in nanoseconds
 * @param write latency of a WRITE
 * @param atomic latency of an atomic
 * @param gap the minimum time between two messages at a card
 * @param atomicGap the minimum time between two atomics at a card
 * @param addressGap the minimum time between two atomics on a word
 * @param bytesPerSecond bandwidth of a link
 * @param local the cost of an access to the node's own memory; empty if it goes through the card
 */
public record CostModel(
        String name,
        long read,
        long write,
        long atomic,
        long gap,
        long atomicGap,
        long addressGap,
        long bytesPerSecond,
        Optional<LocalCost> local) {
    /** The models that come with this software. */
    private static final List<String> NAMES = List.of("infiniband-fdr", "mpi-on-infiniband", "soft-roce");

    private static final String FOLDER = "hardware/";
    private static final String SUFFIX = ".properties";
    private static final Pattern MICROS = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,3})?");
    private static final double NANOS_PER_MICRO = 1e3;

    /** Rejects values that no hardware has. */
    public CostModel {
        if (read < 1 || write < 1 || atomic < 1 || gap < 0 || atomicGap < 0 || addressGap < 0 || bytesPerSecond < 1) {
            throw new IllegalArgumentException("cost model " + name
                    + ": needs latencies and a bandwidth from 1 on, and gaps that are not negative");
        }
    }

    /** A model in which an access to the node's own memory goes through the card. */
    public CostModel(
            String name,
            long read,
            long write,
            long atomic,
            long gap,
            long atomicGap,
            long addressGap,
            long bytesPerSecond) {
        this(name, read, write, atomic, gap, atomicGap, addressGap, bytesPerSecond, Optional.empty());
    }

    /** A copy with another cost of an access to the node's own memory. */
    public CostModel withLocal(LocalCost cost) {
        return new CostModel(name, read, write, atomic, gap, atomicGap, addressGap, bytesPerSecond, Optional.of(cost));
    }

    /**
     * A model of which only the latency is known, the same for all operations: cards and links are never busy.
     *
     * @param nanos the latency, at least 1
     */
    public static CostModel ofLatency(String name, long nanos) {
        return new CostModel(name, nanos, nanos, nanos, 0, 0, 0, Long.MAX_VALUE);
    }

    /** Whether only latencies matter, because cards and links are never busy. */
    public boolean isUnlimited() {
        return gap == 0 && atomicGap == 0 && addressGap == 0 && bytesPerSecond == Long.MAX_VALUE;
    }

    /**
     * The model that a text stands for.
     *
     * @param text what {@link #read} accepts, or a number of microseconds, such as {@code 2} or {@code 0.5}
     * @throws IOException if it is neither
     */
    public static CostModel parse(String text) throws IOException {
        if (!MICROS.matcher(text).matches()) {
            return read(text);
        }
        long nanos = Math.round(Double.parseDouble(text) * NANOS_PER_MICRO);
        if (nanos < 1) {
            throw new IOException("a latency of " + text + " µs: needs at least 0.001 µs");
        }
        return ofLatency(text + " µs", nanos);
    }

    /**
     * Reads a model.
     *
     * @param nameOrFile the name of a model that comes with this software, or a file
     * @throws IOException if there is neither, or it cannot be read
     */
    public static CostModel read(String nameOrFile) throws IOException {
        Properties figures = new Properties();
        try (InputStream known = CostModel.class.getResourceAsStream(FOLDER + nameOrFile + SUFFIX)) {
            if (known != null) {
                figures.load(known);
            } else {
                try (InputStream file = Files.newInputStream(Path.of(nameOrFile))) {
                    figures.load(file);
                } catch (NoSuchFileException e) {
                    throw new IOException(
                            "there is no hardware '" + nameOrFile
                                    + "': needs " + String.join(", ", NAMES) + " or a file"
                                    + Suggestion.didYouMean(nameOrFile, NAMES),
                            e);
                }
            }
        }
        return new CostModel(
                nameOrFile,
                figure(figures, nameOrFile, "latency.read"),
                figure(figures, nameOrFile, "latency.write"),
                figure(figures, nameOrFile, "latency.atomic"),
                figure(figures, nameOrFile, "gap.message"),
                figure(figures, nameOrFile, "gap.atomic.card"),
                figure(figures, nameOrFile, "gap.atomic.address"),
                figure(figures, nameOrFile, "bandwidth.bytes.per.second"),
                local(figures, nameOrFile));
    }

    private static Optional<LocalCost> local(Properties figures, String file) throws IOException {
        if (figures.stringPropertyNames().stream().noneMatch(name -> name.contains(".local."))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new LocalCost(
                    figure(figures, file, "latency.local.read"),
                    figure(figures, file, "latency.local.write"),
                    figure(figures, file, "latency.local.atomic"),
                    figure(figures, file, "gap.local.address")));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private static long figure(Properties figures, String file, String name) throws IOException {
        String value = figures.getProperty(name, "").strip();
        if (!value.matches("[0-9]{1,15}")) {
            throw new IOException(file + ": " + name + " is '" + value + "'; needs a whole number");
        }
        if (figures.getProperty(name + ".source", "").isBlank()) {
            throw new IOException(file + ": " + name + " has no " + name + ".source: add a line with its origin");
        }
        return Long.parseLong(value);
    }
}
