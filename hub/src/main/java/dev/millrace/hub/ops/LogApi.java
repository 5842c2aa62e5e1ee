package dev.millrace.hub.ops;

import com.fasterxml.jackson.annotation.JsonProperty;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.settings.Kind;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code /ops/log}: the last lines of the log, and its levels. */
final class LogApi {
    private static final Kind<Duration> TIME = Kind.time(Duration.ofSeconds(1));
    private static final int STANDARD = 200;

    private final Logs logs;
    private final Audited audited;

    LogApi(Logs logs, Audited audited) {
        this.logs = logs;
        this.audited = audited;
    }

    /** The levels that are set, and the last lines, oldest first. */
    record View(List<Logs.LoggerLevel> levels, List<LogLine> lines) {}

    /**
     * A wish.
     *
     * @param logger a package or class; without it all of Millrace
     * @param time after which it falls back, such as {@code 10m}; without it, when the hub stops
     */
    record Change(
            @Nullable String logger,
            @Nullable String level,
            @JsonProperty("for") @Nullable String time) {}

    List<Route> routes() {
        return List.of(
                Route.get("/ops/log")
                        .needs(Role.ADMIN, "ops")
                        .about("The last lines of the log, and which levels are set.")
                        .parameter("lines", "how many lines, at most 1000; 200 without it")
                        .gives(View.class)
                        .by(this::show),
                Route.put("/ops/log")
                        .needs(Role.ADMIN, "ops")
                        .about("Changes the level of a logger, for a time if \"for\" says so.")
                        .takes(Change.class)
                        .gives(View.class)
                        .by(this::change));
    }

    private Answer show(Request request) {
        return Answer.json(
                new View(
                        logs.levels(), logs.last(request.number("lines", STANDARD, 0, Logs.KEPT))));
    }

    private Answer change(Request request) {
        Change wish = request.json(Change.class);
        if (wish.level == null) {
            throw Problem.of(
                    Code.BAD_BODY,
                    "Which level? For example"
                        + " {\"logger\":\"dev.millrace.hub.http\",\"level\":\"debug\",\"for\":\"10m\"}.");
        }
        String logger = wish.logger == null ? Logs.OURS : wish.logger;
        try {
            Optional<Duration> time =
                    Optional.ofNullable(wish.time).map(text -> TIME.read(List.of(text)));
            logs.change(logger, wish.level, time);
        } catch (IllegalArgumentException e) {
            throw Problem.of(Code.BAD_BODY, String.valueOf(e.getMessage()));
        }
        audited.done(
                request,
                "log level changed",
                "%s to %s%s"
                        .formatted(
                                logger, wish.level, wish.time == null ? "" : " for " + wish.time));
        return Answer.json(new View(logs.levels(), List.of()));
    }
}
