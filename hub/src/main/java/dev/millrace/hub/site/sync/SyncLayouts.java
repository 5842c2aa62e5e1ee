package dev.millrace.hub.site.sync;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.util.List;

/** The keys of patterns and jobs. What a pattern writes lives with the pattern. */
public final class SyncLayouts {
    static final String ALL_PATTERNS = "millrace:sync-patterns";
    static final String ALL_JOBS = "millrace:sync-jobs";

    static final Layout<SyncPattern> PATTERNS =
            Layout.json(
                            "sync:pattern:{pattern_id:shortname}",
                            SyncPattern.class,
                            new SyncPattern.Document(),
                            KeyGrammars.ALL)
                    .named("Sync pattern")
                    .about("What is copied where, as JSON.")
                    .bind("pattern_id", SyncPattern::id)
                    .ownedBySite()
                    .foreign()
                    .set(ALL_PATTERNS);

    static final Layout<SyncJob> JOBS =
            Layout.hash("sync:schedule:{job_id:shortname}", SyncJob.class, KeyGrammars.ALL)
                    .named("Sync job")
                    .about("pattern, interval, last_run.")
                    .bind("job_id", SyncJob::jobId)
                    .ownedBySite()
                    .foreign()
                    .set(ALL_JOBS);

    static final Cell STATISTICS =
            Cell.of(KeyType.HASH, "millrace:sync-stats:{pattern_id:shortname}", KeyGrammars.ALL)
                    .about("sync_count, last_sync, last_error of a pattern.");

    static final Cell TARGETS =
            Cell.of(KeyType.SET, "millrace:sync-targets:{pattern_id:shortname}", KeyGrammars.ALL)
                    .about("Keys that a pattern has made.");

    private SyncLayouts() {}

    public static List<Declaration> all() {
        return List.of(PATTERNS, JOBS, STATISTICS, TARGETS);
    }
}
