package dev.millrace.hub.telemetry.bus.virtual;

/** Numbers that look like chance, and are the same for the same seed and moment. */
final class Chance {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Chance() {}

    /** From 0 to 1, without 1. */
    static double at(long seed, long moment) {
        long mixed = seed * GOLDEN + moment;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return ((mixed ^ mixed >>> 31) >>> 11) * 0x1p-53;
    }

    /** From 0 to 1, smooth: from one multiple of the period to the next, without corners. */
    static double smooth(long seed, double seconds, double period) {
        double place = seconds / period;
        long before = (long) Math.floor(place);
        double share = (1 - Math.cos((place - before) * Math.PI)) / 2;
        return at(seed, before) * (1 - share) + at(seed, before + 1) * share;
    }
}
