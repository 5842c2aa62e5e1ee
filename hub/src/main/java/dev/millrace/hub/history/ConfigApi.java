package dev.millrace.hub.history;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.ConfigurationKind;

import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is recorded, over HTTP. */
final class ConfigApi {
    private final Configuration configuration;

    ConfigApi(Configuration configuration) {
        this.configuration = configuration;
    }

    void addTo(EmsRoutes ems) {
        ems.get(
                        "/api/history/config",
                        route ->
                                route.needs(Role.VIEWER, HistoryApi.ROOM)
                                        .about("What is recorded, and how long it is kept."),
                        request -> EmsAnswer.ok(view()))
                .put(
                        "/api/history/config",
                        route ->
                                route.needs(Role.ENGINEER, HistoryApi.ROOM)
                                        .about("Says what is recorded: config:service:hissrv."),
                        this::put);
    }

    private Map<String, Object> view() {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("config", configuration.document().orElseGet(Json.MAPPER::createObjectNode));
        data.put("effective", configuration.get().view());
        data.put("faults", configuration.faults());
        return data;
    }

    private EmsAnswer put(EmsRequest request) {
        return switch (configuration.put(request.object(), request.caller().name())) {
            case ConfigurationKind.Saved.Done(ObjectNode document, boolean created) ->
                    EmsAnswer.ok(view());
            case ConfigurationKind.Saved.Not(Refused why) -> throw why.exception();
        };
    }
}
