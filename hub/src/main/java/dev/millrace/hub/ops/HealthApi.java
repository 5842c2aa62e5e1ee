package dev.millrace.hub.ops;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code /health/live}: the process answers. {@code /health/ready}: it can do its work, or why not.
 * {@code /health}: the same in the words of those who know one path only.
 */
final class HealthApi {
    private final Pulse pulse;
    private final Supplier<List<String>> warnings;
    private final String version;

    HealthApi(Pulse pulse, Supplier<List<String>> warnings, String version) {
        this.pulse = pulse;
        this.warnings = warnings;
        this.version = version;
    }

    /** That it is there. */
    record Live(String status, String version) {}

    /**
     * Whether it can do its work.
     *
     * @param status {@code ready} or {@code not ready}
     * @param reasons each says what is wrong and what to do
     * @param warnings what an operator should look at; it can do its work all the same
     * @param at when that was seen
     */
    record Ready(String status, List<String> reasons, List<String> warnings, Instant at) {}

    /**
     * The same for clients of VoltageEMS, and for whoever tries the usual path.
     *
     * @param status {@code healthy} or {@code unhealthy}
     */
    record Health(
            String status,
            String service,
            String version,
            Instant timestamp,
            List<String> reasons) {}

    List<Route> routes() {
        return List.of(
                Route.get("/health")
                        .forAnyone()
                        .about("200 if the hub can do its work; 503 with the reasons if not.")
                        .gives(Health.class)
                        .by(this::health),
                Route.get("/health/live")
                        .forAnyone()
                        .about("200 as long as the process answers. Redis is not asked.")
                        .gives(Live.class)
                        .by(request -> Answer.json(new Live("live", version))),
                Route.get("/health/ready")
                        .forAnyone()
                        .about("200 if the hub can do its work; 503 with the reasons if not.")
                        .gives(Ready.class)
                        .by(this::ready));
    }

    private Answer health(Request request) {
        Pulse.Look look = pulse.look();
        boolean well = look.reasons().isEmpty();
        return Answer.json(
                well ? 200 : 503,
                new Health(
                        well ? "healthy" : "unhealthy",
                        "millrace",
                        version,
                        look.at(),
                        look.reasons()));
    }

    private Answer ready(Request request) {
        Pulse.Look look = pulse.look();
        return look.reasons().isEmpty()
                ? Answer.json(new Ready("ready", List.of(), warnings.get(), look.at()))
                : Answer.json(
                                503,
                                new Ready("not ready", look.reasons(), warnings.get(), look.at()))
                        .with("Retry-After", "1");
    }
}
