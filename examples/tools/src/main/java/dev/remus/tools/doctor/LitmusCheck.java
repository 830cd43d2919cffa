// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import dev.remus.fabric.FabricException;
import dev.remus.tools.litmus.Litmus;
import dev.remus.tools.litmus.LitmusResult;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Measures the behaviour of a fabric under contention: torn words and records, and WRITEs that a failing CAS undoes.
 */
final class LitmusCheck implements Check {
    private final Function<RequestedCluster, LitmusResult> litmus;

    /** @param litmus the measurement of about 10 s; throws a {@link FabricException} if the fabric cannot be used */
    LitmusCheck(Function<RequestedCluster, LitmusResult> litmus) {
        this.litmus = litmus;
    }

    @Override
    public String subject() {
        return "litmus";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return true;
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        if (requested.fabric().equals(RequestedCluster.VERBS)
                && SysfsRdmaPort.all(machine).isEmpty()) {
            return List.of(Diagnosis.note("not measured, as there is no RDMA device", "see \"RDMA devices\" above"));
        }
        try {
            LitmusResult result = litmus.apply(requested);
            return List.of(words(result), records(result), lost(result));
        } catch (FabricException e) {
            return List.of(Diagnosis.problem(
                    "not measured: " + e.getMessage(),
                    "fix the problems above; --hosts selects the port, --mn-port a number that no Memory Node uses"));
        }
    }

    private static Diagnosis words(LitmusResult result) {
        String text = count(result.tornWords(), result.words()) + " words of 8 bytes were torn: read with bytes of"
                + " different WRITEs";
        return result.tornWords() == 0
                ? Diagnosis.ok(text)
                : Diagnosis.problem(
                        text + ". No structure works reliably on this fabric",
                        "use another device; on an emulated processor, turn off the flag erms, which makes the"
                                + " kernel copy byte by byte (QEMU: -cpu max,-erms)");
    }

    private static Diagnosis records(LitmusResult result) {
        return Diagnosis.ok(count(result.tornRecords(), result.records()) + " records of " + Litmus.RECORD_BYTES / 1024
                + " KiB were torn: read with words of different WRITEs. That is allowed:"
                + " reads of more than 8 bytes are atomic only under a lock or with a version");
    }

    private static Diagnosis lost(LitmusResult result) {
        return Diagnosis.ok(count(result.lostWrites(), result.writes()) + " WRITEs were lost to a CAS that failed"
                + (result.lostWrites() == 0 ? "" : " and wrote the old value back")
                + ". That is allowed: a WRITE must not change a word that is also changed by CAS");
    }

    private static String count(long some, long all) {
        return String.format(Locale.ROOT, "%,d of %,d", some, all);
    }
}
