package dev.millrace.hub.site.sync;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.OptionalLong;

/** What a job may say, and when it is due. */
final class JobRules {
    private static final int LONGEST_INTERVAL = 31_536_000;
    private static final CronParser CRON =
            new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private JobRules() {}

    static Sync.Done<SyncJob> read(String id, ObjectNode body, Instant now) {
        if (!SyncRules.ID.matcher(id).matches()) {
            return wrong(
                    "An id has 1 to 128 letters, digits and _ . -, beginning with a letter or"
                            + " digit.");
        }
        String pattern = body.path("pattern").asString("");
        if (!SyncRules.ID.matcher(pattern).matches()) {
            return wrong("pattern must be the id of a pattern.");
        }
        JsonNode interval = body.path("interval");
        JsonNode cron = body.path("cron");
        boolean hasCron = !cron.isMissingNode() && !cron.isNull();
        if (hasCron == (!interval.isMissingNode() && !interval.isNull())) {
            return wrong("A job has either an interval in seconds or a cron expression.");
        }
        if (!hasCron && !isInterval(interval)) {
            return wrong("interval must be a whole number of seconds, from 1 to a year.");
        }
        if (hasCron && next(cron.asString(""), now).isEmpty()) {
            return wrong("cron must be minute, hour, day, month and weekday, such as 0 6 * * 1-5.");
        }
        JsonNode enabled = body.path("enabled");
        if (!enabled.isMissingNode() && !enabled.isBoolean()) {
            return wrong("enabled must be true or false.");
        }
        OptionalLong first =
                hasCron ? next(cron.asString(), now) : OptionalLong.of(now.getEpochSecond());
        return new Sync.Done.With<>(
                new SyncJob(
                        id,
                        pattern,
                        hasCron ? null : interval.asString(),
                        null,
                        Boolean.toString(enabled.asBoolean(true)),
                        Long.toString(first.orElse(0)),
                        null,
                        null,
                        null,
                        null,
                        null,
                        hasCron ? cron.asString() : null));
    }

    private static boolean isInterval(JsonNode interval) {
        return interval.isIntegralNumber()
                && interval.canConvertToInt()
                && interval.intValue() >= 1
                && interval.intValue() <= LONGEST_INTERVAL;
    }

    private static <T> Sync.Done<T> wrong(String sentence) {
        return new Sync.Done.Not<>(Refused.of(EmsCode.VALIDATION_ERROR, sentence));
    }

    /** What it has done before stays when a job is put again. */
    static SyncJob merged(SyncJob before, SyncJob wanted) {
        return new SyncJob(
                wanted.jobId(),
                wanted.pattern(),
                wanted.interval(),
                before.lastRun(),
                wanted.enabled(),
                wanted.nextRun(),
                before.lastStatus(),
                before.lastError(),
                before.lastDurationMs(),
                before.runs(),
                before.failures(),
                wanted.cron());
    }

    static boolean isEnabled(SyncJob job) {
        return !"false".equals(job.enabled());
    }

    /** When it is due, in seconds since 1970; empty if it never is. */
    static OptionalLong due(SyncJob job) {
        if (!isEnabled(job)) {
            return OptionalLong.empty();
        }
        if (job.cron() != null) {
            return OptionalLong.of(number(job.nextRun()));
        }
        long interval = number(job.interval());
        if (interval < 1) {
            return OptionalLong.empty(); // written by somebody who did not know better
        }
        return OptionalLong.of(job.lastRun() == null ? 0 : number(job.lastRun()) + interval);
    }

    /** When it is due after a run that begins now. */
    static OptionalLong following(SyncJob job, Instant now) {
        String cron = job.cron();
        return cron != null
                ? next(cron, now)
                : OptionalLong.of(now.getEpochSecond() + Math.max(1, number(job.interval())));
    }

    private static OptionalLong next(String cron, Instant now) {
        try {
            return ExecutionTime.forCron(CRON.parse(cron))
                    .nextExecution(now.atZone(ZoneOffset.UTC))
                    .map(each -> OptionalLong.of(each.toEpochSecond()))
                    .orElse(OptionalLong.empty());
        } catch (IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    static long number(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,12}") ? Long.parseLong(text) : 0;
    }
}
