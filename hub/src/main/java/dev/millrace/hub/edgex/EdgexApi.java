package dev.millrace.hub.edgex;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What every service of EdgeX answers: whether it is there, which version it is, how it is
 * configured and how it is doing. The hub is two of these services on one port, so it answers once
 * for both: its configuration has the sections of either, and each room fills in its own.
 */
public final class EdgexApi {
    private static final byte[] PONG = "pong".getBytes(StandardCharsets.US_ASCII);

    /** Which a client may look for, whether they say anything here or not. */
    private static final List<String> SECTIONS =
            List.of(
                    "Writable",
                    "Service",
                    "Databases",
                    "Clients",
                    "Logging",
                    "Registry",
                    "SecretStore",
                    "Startup",
                    "MessageQueue",
                    "Smtp");

    private final String version;
    private final List<Configured> parts;

    /**
     * The API.
     *
     * @param parts of the configuration, one for each who has a say: section, name, value. Secrets
     *     are masked by those who hand them over
     */
    public EdgexApi(String version, List<Configured> parts) {
        this.version = version;
        this.parts = List.copyOf(parts);
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/api/v1/ping")
                        .forAnyone()
                        .about("Whether anybody is there.")
                        .givesType("text/plain")
                        .by(request -> Answer.bytes(200, "text/plain", PONG)),
                Route.get("/api/version")
                        .forAnyone()
                        .about("The version of the hub.")
                        .by(request -> EdgexAnswers.json(Map.of("version", version))),
                Route.get("/api/v1/config")
                        .needs(Role.VIEWER, "readings")
                        .about("How the hub is configured, in the sections that EdgeX has.")
                        .by(this::config),
                Route.get("/api/v1/metrics")
                        .needs(Role.VIEWER, "readings")
                        .about("Memory and processor, in the figures that EdgeX has.")
                        .by(request -> EdgexAnswers.json(Usage.now())));
    }

    private Answer config(Request request) {
        Map<String, Map<String, Object>> all = new LinkedHashMap<>();
        SECTIONS.forEach(section -> all.put(section, new LinkedHashMap<>()));
        for (Configured part : parts) {
            part.config()
                    .forEach(
                            (section, values) ->
                                    all.computeIfAbsent(section, name -> new LinkedHashMap<>())
                                            .putAll(values));
        }
        return EdgexAnswers.json(all);
    }
}
