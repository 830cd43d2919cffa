package dev.remus.tools.harness;

/** The values of an option for what is usually on, but can be switched off. */
public enum OnOff {
    /** Do it. */
    ON("on"),
    /** Leave it out. */
    OFF("off");

    private final String text;

    OnOff(String text) {
        this.text = text;
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return text;
    }
}
