package @PACKAGE@;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;

class @CLASS@Test {
    /** An operation that adds {@code delta}; 0 means get. */
    record Add(long delta) {}

    /** The sequential specification: maps a state and an operation to the next state and the result. */
    static final class Specification implements DeterministicSpecification<Long, Add, Long> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Step<Long, Long> step(Long value, Add operation) {
            return new Step<>(value + operation.delta(), value);
        }
    }

    @SimulationTest(schedules = 500, faults = {Fault.PAUSED_THREADS, Fault.STOPPED_THREADS})
    void itIsLinearizableInEverySchedule(Schedule schedule) throws Exception {
        Recorder<Add, Long> recorder = new Recorder<>();
        new SimulatedCluster(4, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(@CLASS@.create(ct));
                    }
                })
                .run(ct -> {
                    @CLASS@ structure = new @CLASS@(ct.root().get());
                    for (int i = 1; i <= 4; i++) {
                        long delta = i;
                        recorder.record(ct.id(), new Add(delta), () -> structure.add(delta, ct));
                        recorder.record(ct.id(), new Add(0), () -> structure.get(ct));
                    }
                });
        new LinearizabilityChecker<>(new Specification()).judge(recorder.history());
    }
}
