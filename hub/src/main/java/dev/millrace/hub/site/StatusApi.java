package dev.millrace.hub.site;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.keyspace.Keyspace;

import java.util.LinkedHashMap;
import java.util.Map;

/** What services and the whole site say of themselves, over HTTP. */
final class StatusApi {
    private final Keyspace keyspace;
    private final SiteKeys site;
    private final Heartbeats heartbeats;

    StatusApi(Keyspace keyspace, SiteKeys site, Heartbeats heartbeats) {
        this.keyspace = keyspace;
        this.site = site;
        this.heartbeats = heartbeats;
    }

    void addTo(EmsRoutes routes) {
        routes.get(
                        "/api/status/system",
                        route ->
                                route.needs(Role.VIEWER, SiteRoom.NAME)
                                        .about("How many channels, models and alarms there are."),
                        request -> EmsAnswer.ok(site.status(keyspace)))
                .get(
                        "/api/status/services",
                        route ->
                                route.needs(Role.VIEWER, SiteRoom.NAME)
                                        .about("Which services run, and which do not."),
                        request -> EmsAnswer.ok(services()))
                .get(
                        "/api/status/services/{service}",
                        route ->
                                route.needs(Role.VIEWER, SiteRoom.NAME)
                                        .about("Whether one service runs."),
                        this::service);
    }

    private Map<String, Object> services() {
        Map<String, Object> all = new LinkedHashMap<>();
        heartbeats.all().forEach((service, status) -> all.put(service, view(status)));
        return all;
    }

    private EmsAnswer service(EmsRequest request) {
        Map<String, String> status = heartbeats.all().get(request.variable("service"));
        if (status == null) {
            throw Refused.of(EmsCode.NOT_FOUND, "No such service was ever heard of.").exception();
        }
        return EmsAnswer.ok(view(status));
    }

    /** Numbers as numbers, the list of hubs as a list. */
    private static Map<String, Object> view(Map<String, String> status) {
        Map<String, Object> view = new LinkedHashMap<>();
        status.forEach(
                (field, text) ->
                        view.put(
                                field,
                                text.matches("[0-9]{1,15}") && !field.equals("version")
                                        ? (Object) Long.valueOf(text)
                                        : text));
        return view;
    }
}
