package dev.millrace.hub.cli;

import dev.millrace.keyspace.redis.walk.Pace;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code --pace}: how much of its time a walk over all keys works. */
final class PaceOption {
    @Option(
            names = "--pace",
            paramLabel = "PERCENT",
            converter = Converter.class,
            description =
                    "How much of the time it works; in the rest the server is left to the others."
                            + " 1 to 100, or 'full' when nobody else needs it (default: 50).")
    private Pace pace = Pace.GENTLE;

    Pace pace() {
        return pace;
    }

    /** A number or a word. */
    static final class Converter implements ITypeConverter<Pace> {
        @Override
        public Pace convert(String value) {
            if (value.equals("full")) {
                return Pace.FULL;
            }
            try {
                return new Pace(Integer.parseInt(value));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(
                        "'%s' is not a valid pace; use 1 to 100 or full".formatted(value));
            }
        }
    }
}
