package dev.millrace.keyspace;

import java.util.List;

/**
 * What a check that is cut short leaves behind, so that the next one can go on: its place, and what
 * it has seen up to there.
 *
 * @param repair whether it was repairing
 * @param catalogue a checksum of the layouts
 * @param servers the server processes and which slots they had; a cursor is worth nothing elsewhere
 * @param began in ms
 * @param done keys and entries looked at
 * @param total the estimate of all
 * @param suspects home pointers that are to be looked at again
 */
record CheckMark(
        boolean repair,
        String catalogue,
        List<String> servers,
        long began,
        long done,
        long total,
        CheckPosition at,
        CheckLog.Counts counts,
        List<Suspect> suspects) {

    /** A home pointer that led to nothing. */
    record Suspect(String key, String pointer) {}
}
