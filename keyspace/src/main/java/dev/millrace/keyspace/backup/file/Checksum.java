package dev.millrace.keyspace.backup.file;

/**
 * A sum of hashes, 128 bits. Sums do not care about the order in which things are added, so the
 * same content has the same checksum whichever shard and server it lies in.
 *
 * @param high the sum of the first halves
 * @param low the sum of the second halves
 */
public record Checksum(long high, long low) {
    public static final Checksum ZERO = new Checksum(0, 0);

    public Checksum plus(Checksum other) {
        return new Checksum(high + other.high, low + other.low);
    }

    public Checksum minus(Checksum other) {
        return new Checksum(high - other.high, low - other.low);
    }

    Checksum times(long factor) {
        return new Checksum(high * factor, low * factor);
    }

    @Override
    public String toString() {
        return "%016x%016x".formatted(high, low);
    }
}
