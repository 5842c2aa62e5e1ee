package dev.millrace.hub.site.sync;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The keys of one room that patterns may read and write. Thread-safe. */
public interface Place {
    /** What they begin with: {@code comsrv:}. */
    String prefix();

    /** Those that can be read now. */
    List<String> keys();

    /** Fields of a hash, or members of a JSON object; without those that are about the whole. */
    Map<String, String> read(String key);

    /**
     * Writes some of them as if a client had.
     *
     * @return why it cannot be; empty if it is done
     */
    Optional<String> write(String key, Map<String, String> fields);

    /** What this room does anyway and can be asked to do now, by the names that clients know. */
    default Map<String, Supplier<SyncResult>> builtIn() {
        return Map.of();
    }
}
