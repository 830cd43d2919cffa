// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens a page in Chromium, if that is installed. */
@Tag("any-jdk")
class PageInBrowserTest {
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int LIMIT_SECONDS = 120;

    @TempDir
    private Path folder;

    static final class Node extends RemoteRecord {
        final RemoteLong value = longField();
        final RemoteRef<Node> next = refField();

        static long create(long value, long next, ComputeThread ct) {
            Node node = new Node();
            node.allocate(ct);
            node.value.store(value, ct);
            node.next.store(next, ct);
            return node.pointer();
        }
    }

    /** A stack of which two threads push by a plain WRITE, so that pushes are lost. */
    private static void push(Schedule schedule) throws Exception {
        Recorder<String, Long> recorder = new Recorder<>();
        new SimulatedCluster(2, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(new RdmaPtr<>(Node.create(0, RdmaPtr.NULL, ct)));
                    }
                })
                .run(ct -> {
                    Node bottom = new Node();
                    bottom.at(ct.root().get());
                    recorder.record(ct.id(), "push <b>" + ct.id() + "</b>", () -> {
                        long top = bottom.next.load(ct);
                        bottom.next.store(Node.create(ct.id(), top, ct), ct);
                        return top == RdmaPtr.NULL ? 0L : 1L;
                    });
                });
        new LinearizabilityChecker<>(new Depths()).judge(recorder.history());
    }

    /** A word is acquired by an atomic and released by a store, which the check of memory refuses. */
    private static void mix(Schedule schedule) throws Exception {
        Recorder<String, Long> recorder = new Recorder<>();
        new SimulatedCluster(2, schedule).run(ct -> {
            if (ct.id() == 0) {
                Node node = new Node();
                node.at(Node.create(0, RdmaPtr.NULL, ct));
                recorder.record(ct.id(), "mix", () -> {
                    node.value.compareAndSet(0, 1, ct);
                    node.value.store(0, ct);
                    return 0L;
                });
            }
        });
    }

    /** The number of nodes that a push has found. */
    private static final class Depths implements DeterministicSpecification<Long, String, Long> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Step<Long, Long> step(Long depth, String push) {
            return new Step<>(depth + 1, depth);
        }
    }

    private static Optional<Path> browser() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> BROWSERS.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The page of one random schedule. */
    private Path page(Scenario scenario, long seed, String title) throws Exception {
        Path page = folder.resolve("schedule.html");
        WatchedRun.of(scenario, Schedule.random(seed)).writePage(page, title, "run it");
        return page;
    }

    /** The document after the page's script has run. Without a browser the test is skipped. */
    private String opened(Path page, String address) throws Exception {
        Optional<Path> browser = browser();
        assumeThat(browser).as("one of %s on the path", BROWSERS).isPresent();
        Path document = folder.resolve("document.html");
        Process process = new ProcessBuilder(List.of(
                        browser.get().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--dump-dom",
                        page.toUri() + address))
                .redirectOutput(document.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return Files.readString(document, StandardCharsets.UTF_8);
    }

    @Test
    void aBrowserDrawsTheMomentOfTheViolationWithMemoryThreadsAndLanes() throws Exception {
        Finding finding = Finding.first(PageInBrowserTest::push, Schedule::random, 0, 1_000)
                .orElseThrow();
        Path page = page(PageInBrowserTest::push, finding.seed(), "a stack");

        String document = opened(page, "#violation");
        assertThat(document)
                .contains("<h1 id=\"title\">a stack</h1>")
                .contains(": the violation</p>")
                .contains("<line class=\"violation\"")
                .containsPattern("<li>thread \\d returns from push &lt;b&gt;\\d&lt;/b&gt;: 0</li>")
                .containsPattern(
                        "<div class=\"chain\"><div class=\"box\" data-box=\"\\d+\"><h3 title=\"PageInBrowserTest.Node at ")
                .containsPattern("<text [^>]*>lane \\d: 2 → \\d</text>")
                .containsPattern("<h3>thread \\d: push &lt;b&gt;\\d&lt;/b&gt; has returned 0</h3>")
                .containsPattern("<a href=\"#\\d+\">moment \\d+</a>: READ of Node&nbsp;\\d.next finds ");
        assertThat(opened(page, "")).contains(": the violation</p>");
        assertThat(opened(page, "#first"))
                .containsPattern("<li>thread \\d calls push ")
                .containsPattern("posts READ of Node&nbsp;\\d.next \\(PageInBrowserTest.java:\\d+\\)</li>")
                .containsPattern("last request at PageInBrowserTest.java:\\d+")
                .containsPattern("<button id=\"run\"[^>]*>Run</button>");
        assertThat(opened(page, "#first,run"))
                .containsPattern("<li>thread \\d calls push ")
                .containsPattern("<button id=\"run\"[^>]*>Stop</button>");
    }

    @Test
    void aClickOnTheNameOfAWordListsItsChangesAndWhoMadeThem() throws Exception {
        Path page = page(PageInBrowserTest::push, 1, "a stack");
        String click =
                "<script>[...document.querySelectorAll('.word button')].find(b => b.textContent === 'next').click()"
                        + "</script></body>";
        Files.writeString(page, Files.readString(page).replace("</body>", click));

        assertThat(opened(page, "#1000000"))
                .containsPattern("<h3>Changes of Node&nbsp;\\d.next</h3>")
                .containsPattern(
                        "<li class=\"[a-z]*\"><a href=\"#\\d+\">moment \\d+</a>: null becomes →&nbsp;Node&nbsp;\\d by thread \\d"
                                + " \\(WRITE, PageInBrowserTest.java:\\d+\\)</li>")
                .containsPattern("<button data-word=\"[0-9a-f]+\" aria-pressed=\"true\"");
    }

    @Test
    void aPageBeginsWithTheChangesOfTheWordThatTheFailureNames() throws Exception {
        Path page = page(PageInBrowserTest::mix, 1, "a lock");

        assertThat(opened(page, ""))
                .contains("<h3>Changes of Node.value</h3>")
                .containsPattern(
                        "</a>: 0 becomes 1 by thread 0 \\(COMPARE_AND_SWAP, PageInBrowserTest.java:\\d+\\)</li>")
                .contains("<h3>thread 0: mix has failed with MixedAccessException</h3>")
                .containsPattern("failed at PageInBrowserTest.java:\\d+<");
    }

    @Test
    void aBrowserDrawsARingAsACircleATreeByItsLevelsAndEncodedLinks() throws Exception {
        Path page = page(DrawnRecordsTest::make, 1, "drawn");

        String document = opened(page, "#1000000"); // the last moment
        assertThat(document)
                .contains("aria-label=\"A ring of 3 cells: begin 3, end 5\"")
                .containsPattern("<path class=\"full\"[^>]*></path><text class=\"inside\"[^>]*>0</text>"
                        + "<path class=\"full\"[^>]*></path><text class=\"inside\"[^>]*>1</text>"
                        + "<path class=\"free\"[^>]*></path><text class=\"\"[^>]*>2</text>")
                .containsPattern("<h3>2<span class=\"badge position\">end</span></h3>")
                .containsPattern("root</button><span class=\"value\">→&nbsp;Branch \\(tagged\\)")
                .containsPattern("(?s)<div class=\"tree\">.*Branch.*aria-label=\"Level 0\".*Leaf")
                .containsPattern("slots\\[0].child</button><span class=\"value\">→&nbsp;Leaf")
                .containsPattern("slots\\[1].child</button><span class=\"value soft\">unused")
                .containsPattern("<svg class=\"links\"[^>]*><line x1=");
    }
}
