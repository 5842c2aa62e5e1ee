package dev.millrace.hub.site.sync;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/**
 * A pattern that is run again and again. Others write these hashes too, so everything is a text
 * that may be missing.
 *
 * @param interval in seconds
 * @param lastRun when it began last, in seconds since 1970
 * @param nextRun when it is due, as of the last run
 * @param lastStatus ok or error
 * @param cron instead of an interval
 */
record SyncJob(
        @JsonProperty("job_id") String jobId,
        @Nullable String pattern,
        @Nullable String interval,
        @JsonProperty("last_run") @Nullable String lastRun,
        @Nullable String enabled,
        @JsonProperty("next_run") @Nullable String nextRun,
        @JsonProperty("last_status") @Nullable String lastStatus,
        @JsonProperty("last_error") @Nullable String lastError,
        @JsonProperty("last_duration_ms") @Nullable String lastDurationMs,
        @Nullable String runs,
        @Nullable String failures,
        @Nullable String cron) {}
