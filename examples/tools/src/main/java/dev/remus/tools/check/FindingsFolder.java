// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.simulation.Finding;
import dev.remus.simulation.FindingFile;
import java.nio.file.Path;

/**
 * The folder to which each finding is written.
 *
 * @param path the folder, which is made when there is a finding
 */
record FindingsFolder(Path path) {
    /** Writes the files of a finding. */
    FindingFile.Written keep(SearchPlan plan, Finding finding) {
        return FindingFile.write(
                path,
                plan.scenario().name(),
                finding,
                plan.replayCommand(finding.seed()),
                plan.scenario().factory().apply(plan.size()),
                plan.schedule(finding.seed()));
    }
}
