package dev.millrace.bench.http;

import dev.millrace.bench.commit.Event;
import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.http.server.WebServer;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.store.Store;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The hub's web server with all it does for each request: gate, limits, deadlines, request id,
 * security headers, figures. Each workload once by a handler that may block and once by a future.
 */
final class MillraceServer {
    private final Keyspace keyspace;
    private final Store<Event> events;

    private MillraceServer(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.events = keyspace.store(Event.LAYOUT);
    }

    static int start(String redis) {
        List<Declaration> declarations = new ArrayList<>(AccessLayouts.all());
        declarations.add(Event.LAYOUT);
        Keyspace keyspace =
                new Keyspace(Redis.open(RedisOptions.of(redis)), Keyspace.catalogue(declarations));
        Access access = Access.open(keyspace, AccessSettings.defaults());
        List<Route> routes = new MillraceServer(keyspace).routes();
        return WebServer.start(
                        settings(),
                        new RouteTable(routes, new Owners(Owner.own("bench"))),
                        access.gate(),
                        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
                .port();
    }

    private static HttpSettings settings() {
        Values values =
                SettingsSources.read(
                        new Keys(List.of(HttpSettings.BLOCK.keys())),
                        Optional.empty(),
                        List.of("http.port=0"),
                        Map.of());
        return HttpSettings.BLOCK.read(values);
    }

    private List<Route> routes() {
        return List.of(
                get(Workload.EMPTY, "").by(request -> Answer.empty(204)),
                get(Workload.EMPTY, Entrant.PROMPT)
                        .promptlyBy(
                                request -> CompletableFuture.completedFuture(Answer.empty(204))),
                post(Workload.ECHO, "").by(MillraceServer::echo),
                post(Workload.ECHO, Entrant.PROMPT)
                        .promptlyBy(request -> CompletableFuture.completedFuture(echo(request))),
                post(Workload.COMMIT, "").by(this::store),
                post(Workload.COMMIT, Entrant.PROMPT).promptlyBy(this::storePromptly));
    }

    private static Route.Draft get(Workload workload, String prefix) {
        return about(Route.get(prefix + workload.path()), workload);
    }

    private static Route.Draft post(Workload workload, String prefix) {
        return about(Route.post(prefix + workload.path()), workload);
    }

    private static Route.Draft about(Route.Draft draft, Workload workload) {
        return draft.needs(Role.OPERATOR, "bench").about(workload.about());
    }

    private static Answer echo(Request request) {
        return Answer.json(request.json(Event.class));
    }

    private Answer store(Request request) {
        Event event = Workload.arrived(request.json(Event.class));
        events.create(event).orThrow();
        return Answer.text(201, event.id());
    }

    private CompletionStage<Answer> storePromptly(Request request) {
        Event event = Workload.arrived(request.json(Event.class));
        return keyspace.commit(event.device())
                .create(Event.LAYOUT, event)
                .send()
                .thenApply(
                        outcome -> {
                            outcome.orThrow();
                            return Answer.text(201, event.id());
                        });
    }
}
