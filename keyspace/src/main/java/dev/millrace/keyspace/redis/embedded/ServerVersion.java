package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.embedded.ServerBinary.Product;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who wrote a data directory, and whether another server can read that.
 *
 * <p>A server reads what its own product wrote at the same or a lower minor version. Between the
 * two products the format of the snapshot at the head of the append-only file decides: Redis 7.0
 * writes 10; Redis 7.2 and Valkey up to 8 write 11, from before and just after they parted; Redis
 * 7.4 writes 12, which no Valkey reads; Valkey 9 writes 80, which no Redis reads. A server that
 * meets a newer format refuses to load it, so nothing is lost without this rule; it says earlier,
 * and in words, what to install.
 */
record ServerVersion(Product product, int major, int minor, int patch) {

    private static final Pattern TEXT =
            Pattern.compile("(Redis|Valkey) (\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9})");

    /** Reads what {@link #toString} wrote. */
    static Optional<ServerVersion> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new ServerVersion(
                                Product.titled(matcher.group(1)),
                                Integer.parseInt(matcher.group(2)),
                                Integer.parseInt(matcher.group(3)),
                                Integer.parseInt(matcher.group(4))))
                : Optional.empty();
    }

    boolean reads(ServerVersion writer) {
        if (product == writer.product) {
            return atLeast(writer.major, writer.minor);
        }
        return switch (product) {
            case VALKEY -> !writer.atLeast(7, 4);
            case REDIS -> !writer.atLeast(9, 0) && atLeast(7, 2);
        };
    }

    /** The programs that read what this one wrote, as one would name them to a person. */
    String successors() {
        String own =
                "%s-server %d.%d or newer"
                        .formatted(product.title().toLowerCase(Locale.ROOT), major, minor);
        return switch (product) {
            case REDIS -> atLeast(7, 4) ? own : own + ", or valkey-server 7.2 or newer";
            case VALKEY -> atLeast(9, 0) ? own : own + ", or redis-server 7.2 or newer";
        };
    }

    private boolean atLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || (major == otherMajor && minor >= otherMinor);
    }

    /** Such as {@code Valkey 8.1.1}. */
    @Override
    public String toString() {
        return product.title() + " " + major + "." + minor + "." + patch;
    }
}
