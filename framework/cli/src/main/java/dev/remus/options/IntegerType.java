package dev.remus.options;

import java.util.Optional;
import java.util.regex.Pattern;

/** Whole numbers in a range, both ends included, in plain decimal digits. */
record IntegerType(long min, long max) implements OptionType<Long> {
    // Stricter than Long.parseLong, which also takes a plus sign and the digits of other scripts.
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+");

    IntegerType {
        if (min > max) {
            throw new IllegalArgumentException("The range " + min + ".." + max + " is empty");
        }
    }

    @Override
    public Optional<Long> parse(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            long value = Long.parseLong(text);
            return value < min || value > max ? Optional.empty() : Optional.of(value);
        } catch (NumberFormatException e) {
            return Optional.empty(); // more digits than a long has
        }
    }

    @Override
    public String format(Long value) {
        return value.toString();
    }

    @Override
    public String needs() {
        return max == Long.MAX_VALUE
                ? "a whole number of at least " + min
                : "a whole number from " + min + " to " + max;
    }

    @Override
    public String accepts() {
        return min + ".." + (max == Long.MAX_VALUE ? "" : max);
    }

    @Override
    public String argName() {
        return "n";
    }
}
