package dev.millrace.hub.site.sync;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Route;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Patterns and jobs over HTTP. */
public final class SyncApi {
    private static final String PATTERN = "/api/sync/patterns/{id}";
    private static final String JOB = "/api/sync/jobs/{id}";

    private final String room;
    private final Sync sync;

    public SyncApi(String room, Sync sync) {
        this.room = room;
        this.sync = sync;
    }

    public void addTo(EmsRoutes routes) {
        routes.get(
                        "/api/sync/patterns",
                        reading("What is copied where."),
                        request ->
                                EmsAnswer.ok(
                                        request.paging()
                                                .of(
                                                        sync.patterns().stream()
                                                                .sorted(
                                                                        Comparator.comparing(
                                                                                SyncPattern::id))
                                                                .toList(),
                                                        this::view)))
                .get(PATTERN, reading("One pattern, and how often it was run."), this::pattern)
                .put(PATTERN, changing("Stores a pattern."), this::putPattern)
                .delete(
                        PATTERN,
                        changing("Removes a pattern; what it has written stays."),
                        this::removePattern)
                .post(
                        PATTERN + "/run",
                        changing("Runs a pattern, or what the hub does anyway by this name."),
                        this::run)
                .get(
                        "/api/sync/jobs",
                        reading("What is run again and again."),
                        request ->
                                EmsAnswer.ok(
                                        request.paging()
                                                .of(
                                                        sync.jobs().stream()
                                                                .sorted(
                                                                        Comparator.comparing(
                                                                                SyncJob::jobId))
                                                                .toList(),
                                                        SyncApi::view)))
                .get(JOB, reading("One job, and how it went last."), this::job)
                .put(
                        JOB,
                        changing("Runs a pattern every interval seconds, or by a cron expression."),
                        this::putJob)
                .delete(JOB, changing("Removes a job."), this::removeJob)
                .post(JOB + "/run", changing("Runs a job now."), this::runJob);
    }

    private UnaryOperator<Route.Draft> reading(String about) {
        return route -> route.needs(Role.VIEWER, room).about(about);
    }

    private UnaryOperator<Route.Draft> changing(String about) {
        return route -> route.needs(Role.ENGINEER, room).about(about);
    }

    // ---------------------------------------------------------------- patterns

    private Map<String, Object> view(SyncPattern pattern) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", pattern.id());
        pattern.document().properties().forEach(each -> view.put(each.getKey(), each.getValue()));
        sync.statistics(pattern.id()).forEach((field, text) -> view.put(field, number(text)));
        return view;
    }

    private EmsAnswer pattern(EmsRequest request) {
        return sync.pattern(request.variable("id"))
                .map(each -> EmsAnswer.ok(view(each)))
                .orElseThrow(SyncApi::noPattern);
    }

    private EmsAnswer putPattern(EmsRequest request) {
        return EmsAnswer.ok(view(done(sync.put(request.variable("id"), request.object()))));
    }

    private EmsAnswer removePattern(EmsRequest request) {
        String id = request.variable("id");
        if (sync.pattern(id).isEmpty() || !sync.removePattern(id)) {
            throw noPattern();
        }
        return EmsAnswer.ok(Map.of("id", id, "deleted", true));
    }

    private EmsAnswer run(EmsRequest request) {
        String id = request.variable("id");
        SyncResult result = done(sync.run(id));
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("pattern", id);
        view.put("rule_id", id);
        view.put("matched_keys", result.matched());
        view.put("total_synced", result.synced());
        view.put("errors", result.errors());
        return EmsAnswer.ok(view);
    }

    private static RefusedException noPattern() {
        return Refused.of(EmsCode.NOT_FOUND, "There is no such pattern.").exception();
    }

    // ---------------------------------------------------------------- jobs

    private static Map<String, Object> view(SyncJob job) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", job.jobId());
        view.put("pattern", job.pattern());
        put(view, "interval", job.interval());
        put(view, "cron", job.cron());
        view.put("enabled", JobRules.isEnabled(job));
        put(view, "last_run", job.lastRun());
        put(view, "next_run", job.nextRun());
        put(view, "last_status", job.lastStatus());
        put(view, "last_error", job.lastError());
        put(view, "last_duration_ms", job.lastDurationMs());
        view.put("runs", JobRules.number(job.runs()));
        view.put("failures", JobRules.number(job.failures()));
        return view;
    }

    private static void put(Map<String, Object> view, String name, @Nullable String text) {
        if (text != null) {
            view.put(name, number(text));
        }
    }

    private static Object number(String text) {
        return text.matches("[0-9]{1,15}") ? (Object) Long.valueOf(text) : text;
    }

    private EmsAnswer job(EmsRequest request) {
        return sync.job(request.variable("id"))
                .map(each -> EmsAnswer.ok(view(each)))
                .orElseThrow(SyncApi::noJob);
    }

    private EmsAnswer putJob(EmsRequest request) {
        return EmsAnswer.ok(view(done(sync.putJob(request.variable("id"), request.object()))));
    }

    private EmsAnswer removeJob(EmsRequest request) {
        String id = request.variable("id");
        if (!sync.removeJob(id)) {
            throw noJob();
        }
        return EmsAnswer.ok(Map.of("id", id, "deleted", true));
    }

    private EmsAnswer runJob(EmsRequest request) {
        String id = request.variable("id");
        if (sync.job(id).isEmpty()) {
            throw noJob();
        }
        return sync.runJob(id)
                .map(each -> EmsAnswer.ok(view(each)))
                .orElseThrow(
                        () ->
                                Refused.of(EmsCode.INVALID_STATE, "The job is being run.")
                                        .exception());
    }

    private static RefusedException noJob() {
        return Refused.of(EmsCode.NOT_FOUND, "There is no such job.").exception();
    }

    private static <T> T done(Sync.Done<T> done) {
        return switch (done) {
            case Sync.Done.With<T>(T value) -> value;
            case Sync.Done.Not<T>(Refused why) -> throw why.exception();
        };
    }
}
