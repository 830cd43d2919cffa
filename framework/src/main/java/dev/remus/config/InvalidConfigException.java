package dev.remus.config;

import java.util.Objects;

/**
 * A configuration that cannot work. The message names the option to change, what it was given and what it needs, in the
 * words of the command line, because that is where nearly every configuration comes from.
 */
public final class InvalidConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** The option at fault, with its two dashes. */
    private final String optionName;

    /**
     * A complaint about one option.
     *
     * @param optionName the option at fault with its two dashes, such as {@code --seg-size}
     * @param given the value that was refused
     * @param needs what would be accepted, continuing the sentence "needs ..."
     */
    InvalidConfigException(String optionName, Object given, String needs) {
        super(optionName + ": got '" + given + "', needs " + needs);
        this.optionName = Objects.requireNonNull(optionName, "optionName");
    }

    /**
     * The option at fault.
     *
     * @return its name with two dashes, such as {@code --seg-size}
     */
    public String optionName() {
        return optionName;
    }
}
