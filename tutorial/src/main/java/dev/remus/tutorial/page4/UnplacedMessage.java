// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page4;

import dev.remus.check.Recorder;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.WatchedRun;
import java.io.IOException;
import java.nio.file.Path;

/** Looks for a schedule in which a flag overtakes a message that is not placed, and writes a page that plays it. */
public final class UnplacedMessage {
    private static final int SCHEDULES = 300;
    private static final long CONTENT = 42;

    private static final class Message extends RemoteRecord {
        private final RemoteLong content = longField();
        private final RemoteLong flag = longField();
    }

    private UnplacedMessage() {}

    private static void run(Schedule schedule) throws Exception {
        Recorder<String, Long> recorder = new Recorder<>();
        new SimulatedCluster(2, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        Message message = new Message();
                        message.allocate(ct);
                        message.content.store(0, ct);
                        message.flag.store(0, ct);
                        ct.root().set(new RdmaPtr<>(message.pointer()));
                    }
                })
                .run(ct -> {
                    Message message = new Message();
                    message.at(ct.root().get());
                    if (ct.id() == 0) {
                        recorder.record(0, "send", () -> send(message, ct));
                    } else {
                        recorder.record(1, "receive", () -> receive(message, ct));
                    }
                });
    }

    // #region message
    private static long send(Message message, ComputeThread ct) {
        message.content.post(CONTENT, ct);
        message.flag.post(1, ct); // content may not be placed yet
        return CONTENT;
    }

    private static long receive(Message message, ComputeThread ct) {
        while (message.flag.load(ct) == 0) {
            ct.pause();
        }
        long content = message.content.load(ct);
        if (content != CONTENT) {
            throw new IllegalStateException("the flag is set, and the content is " + content);
        }
        return content;
    }
    // #endregion message

    /** Takes the file for the page. */
    public static void main(String... args) throws IOException {
        if (args.length != 1) {
            System.err.println("UnplacedMessage needs one argument: the file for the page");
            System.exit(2);
        }
        Finding finding = Finding.first(UnplacedMessage::run, ScheduleMix.DELAYS::schedule, 1, SCHEDULES)
                .orElseThrow(() -> new IllegalStateException("nothing found"));
        System.out.println("seed " + finding.seed() + ": " + finding.cause().getMessage());
        WatchedRun.of(UnplacedMessage::run, ScheduleMix.DELAYS.schedule(finding.seed()))
                .writePage(Path.of(args[0]), "UnplacedMessage", "seed " + finding.seed());
    }
}
