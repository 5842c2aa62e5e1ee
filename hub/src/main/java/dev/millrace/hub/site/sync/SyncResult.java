package dev.millrace.hub.site.sync;

import java.util.List;

/**
 * What came of a run.
 *
 * @param matched keys that were read
 * @param synced keys that were written
 * @param errors what was not, and why; the first hundred
 */
public record SyncResult(long matched, long synced, List<String> errors) {
    public SyncResult {
        errors = List.copyOf(errors);
    }
}
