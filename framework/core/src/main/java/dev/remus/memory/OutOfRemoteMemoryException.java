package dev.remus.memory;

/** No segment that the allocation policy may use can serve a request. Names the policy, the size and each segment. */
public class OutOfRemoteMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, and what to do about it */
    public OutOfRemoteMemoryException(String message) {
        super(message);
    }
}
