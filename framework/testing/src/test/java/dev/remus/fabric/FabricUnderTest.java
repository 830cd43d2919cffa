package dev.remus.fabric;

/** What the topics of the {@link FabricConformance} suite work with. */
interface FabricUnderTest {
    /** The cluster of the running test: nothing is open in it yet, and all of it is closed when the test ends. */
    TestEndpoints cluster();

    /** Starts nodes outside this process. */
    OtherNodes otherNodes();

    /** How often a test does what takes long on some fabrics, to find what goes wrong now and then only. */
    default int repetitions(int usually) {
        return usually;
    }
}
