package dev.remus.cli.cluster;

/** Something is wrong before the run has begun. The message says what to do. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
