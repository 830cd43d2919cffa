package dev.remus.options;

import java.util.List;
import java.util.Optional;

/**
 * What the text after an option means. A type also describes itself, so that an error message, the usage text and the
 * check itself cannot disagree.
 *
 * @param <T> the Java type of the value; always immutable
 */
interface OptionType<T> {
    /** The value of {@code text}, or empty when it is not one; then {@link #needs()} says what would be. */
    Optional<T> parse(String text);

    /** The text that {@link #parse} turns into {@code value} again. */
    String format(T value);

    /** Continues the sentence "needs ...". */
    String needs();

    /** The accepted values for the usage text, as short as possible; empty when there is nothing to say. */
    String accepts();

    /** What the usage text calls the value; empty when the option takes none. */
    String argName();

    /** The words to choose from; empty when the values cannot be listed. */
    default List<String> choices() {
        return List.of();
    }
}
