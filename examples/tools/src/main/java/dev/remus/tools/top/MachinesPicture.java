// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.tools.top.WholeCluster.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The clusters on several machines, each of which sends the lines of its {@code top --json}. */
final class MachinesPicture implements Picture {
    private static final int MAX_ENDED = 3;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    /** A cluster that has ended, and when. */
    private record Ended(WholeCluster cluster, String time) {}

    private final List<ReportingMachine> machines;
    private final WholeScreen screen;
    private final Map<Integer, ReportingMachine.News> news = new TreeMap<>();
    private final Map<String, WholeCluster> running = new TreeMap<>();
    private final ArrayDeque<Ended> ended = new ArrayDeque<>();

    MachinesPicture(List<ReportingMachine> machines, boolean coloured) {
        this.machines = List.copyOf(machines);
        Map<Integer, String> names = new TreeMap<>();
        machines.forEach(machine -> names.put(machine.id(), machine.name()));
        this.screen = new WholeScreen(names, coloured);
    }

    /**
     * Follows the machines that a file lists, one a line: {@code ID NAME STREAM}.
     *
     * @throws IOException if the file cannot be read, or has another line
     */
    static MachinesPicture of(Path file, boolean coloured) throws IOException {
        List<ReportingMachine> machines = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String[] words = line.split(" ", 3);
            if (words.length != 3 || !words[0].matches("\\d{1,4}")) {
                throw new IOException(file + " has the line '" + line + "', which is not ID NAME STREAM");
            }
            ReportingMachine machine = new ReportingMachine(Integer.parseInt(words[0]), words[1]);
            machine.follow(Path.of(words[2]));
            machines.add(machine);
        }
        return new MachinesPicture(machines, coloured);
    }

    @Override
    public void poll() throws IOException {
        long now = System.nanoTime();
        Map<String, List<Report>> reports = new TreeMap<>();
        for (ReportingMachine machine : machines) {
            ReportingMachine.News latest = machine.news(now);
            news.put(machine.id(), latest);
            for (Sighting sighting : latest.sightings()) {
                running.computeIfAbsent(
                        sighting.key(),
                        key -> new WholeCluster(
                                sighting.fabric(), sighting.look().name()));
                reports.computeIfAbsent(sighting.key(), key -> new ArrayList<>())
                        .add(new Report(machine.id(), latest.trouble().isPresent(), sighting.look()));
            }
        }
        Iterator<Map.Entry<String, WholeCluster>> all = running.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<String, WholeCluster> entry = all.next();
            WholeCluster cluster = entry.getValue();
            cluster.update(reports.getOrDefault(entry.getKey(), List.of()));
            if (!cluster.isAlive()) {
                all.remove();
                if (cluster.hasLived()) { // else it is what an earlier run has left
                    ended.addFirst(new Ended(cluster, CLOCK.format(LocalTime.now())));
                }
            }
        }
        while (ended.size() > MAX_ENDED) {
            ended.removeLast();
        }
    }

    @Override
    public boolean isComplete() {
        return news.size() == machines.size()
                && news.values().stream().allMatch(ReportingMachine.News::isKnown)
                && running.values().stream()
                        .allMatch(cluster -> cluster.speeds().areKnown(cluster.look()));
    }

    @Override
    public boolean hasTrouble() {
        return news.values().stream().anyMatch(latest -> latest.trouble().isPresent());
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        List<Integer> old = new ArrayList<>();
        news.forEach((id, latest) -> latest.trouble().ifPresent(trouble -> {
            old.add(id);
            lines.add(screen.trouble(id, trouble));
        }));
        running.values().forEach(cluster -> add(screen.show(cluster, Optional.empty(), old), lines));
        ended.forEach(end -> add(screen.show(end.cluster(), Optional.of(end.time()), List.of()), lines));
        if (running.isEmpty() && ended.isEmpty() && !lines.isEmpty()) {
            add(List.of(none()), lines);
        }
        return lines;
    }

    private static void add(List<String> more, List<String> lines) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.addAll(more);
    }

    @Override
    public boolean isEmpty() {
        return running.isEmpty();
    }

    @Override
    public String none() {
        return news.values().stream().allMatch(ReportingMachine.News::isKnown)
                ? "no cluster is running on these machines"
                : "waiting for the machines ...";
    }

    @Override
    public void forgetEnded() {
        ended.clear();
    }
}
