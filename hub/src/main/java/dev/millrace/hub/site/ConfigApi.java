package dev.millrace.hub.site;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Route;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Configuration over HTTP: each piece, its history, and all of it. */
final class ConfigApi {
    private static final String PIECE = "/api/config/{kind}/{id}";
    private static final long LARGEST_IMPORT = 8L << 20;

    private final Configurations configurations;
    private final SystemConfiguration system;

    ConfigApi(Configurations configurations, SystemConfiguration system) {
        this.configurations = configurations;
        this.system = system;
    }

    void addTo(EmsRoutes routes) {
        for (String path : List.of("/api/config/system", "/api/v1/config/system")) {
            routes.get(
                            path,
                            needs(Role.VIEWER, "The settings of the whole site."),
                            request -> EmsAnswer.ok(system.document()))
                    .put(
                            path,
                            needs(
                                    Role.ADMIN,
                                    "Sets some of them; null takes one away. If-Match: its"
                                            + " version."),
                            this::putSystem);
        }
        routes.get(
                        "/api/config/version",
                        needs(Role.VIEWER, "How often configuration was changed."),
                        request -> EmsAnswer.ok(Map.of("version", configurations.version())))
                .get(
                        "/api/config/versions",
                        needs(Role.ENGINEER, "The last changes, newest first."),
                        request ->
                                EmsAnswer.ok(
                                        request.paging()
                                                .of(configurations.snapshots(), each -> each)))
                .get(
                        "/api/config/versions/{version}",
                        needs(Role.ENGINEER, "One change: what it was before and after."),
                        this::version)
                .get(
                        "/api/config/diff",
                        route ->
                                needs(Role.ENGINEER, "What is different between two versions.")
                                        .apply(route)
                                        .parameter("from", "a version")
                                        .parameter("to", "a later one; the newest if left out"),
                        this::difference)
                .post(
                        "/api/config/rollback",
                        needs(
                                Role.ADMIN,
                                "Gives all that was changed after a version its content of then."),
                        this::rollback)
                .get(PIECE, needs(Role.ENGINEER, "One piece of configuration."), this::get)
                .put(PIECE, needs(Role.ADMIN, "Stores one; If-Match: its version."), this::put)
                .delete(
                        PIECE,
                        route ->
                                needs(Role.ADMIN, "Removes one.")
                                        .apply(route)
                                        .parameter("force", "true: also while others refer to it"),
                        this::delete)
                .get(
                        "/api/config/{kind}",
                        needs(Role.VIEWER, "The ids of all of one kind."),
                        this::ids);
        for (String path : List.of("/api/config/export", "/api/v1/config/channels/export")) {
            routes.get(
                    path,
                    needs(Role.ENGINEER, "All configuration as one document."),
                    request -> EmsAnswer.ok(configurations.exported()));
        }
        for (String path : List.of("/api/config/import", "/api/v1/config/channels/import")) {
            routes.post(
                    path,
                    route ->
                            needs(Role.ADMIN, "Puts in what was exported; what is not in it stays.")
                                    .apply(route)
                                    .maxBody(LARGEST_IMPORT)
                                    .parameter("dry_run", "true: only says what is wrong with it"),
                    this::imported);
        }
    }

    private static UnaryOperator<Route.Draft> needs(Role role, String about) {
        return route -> route.needs(role, SiteRoom.NAME).about(about);
    }

    private static String user(EmsRequest request) {
        return request.caller().name();
    }

    private static OptionalLong expected(EmsRequest request) {
        String text = request.header("If-Match").orElse("").replace("\"", "").strip();
        if (text.isEmpty() || text.equals("*")) {
            return OptionalLong.empty();
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw invalid("If-Match must be a version, a number.");
        }
        return OptionalLong.of(Long.parseLong(text));
    }

    // ---------------------------------------------------------------- pieces

    private EmsAnswer putSystem(EmsRequest request) {
        return switch (system.put(request.object(), false, expected(request), user(request))) {
            case SystemConfiguration.Saved.Done(ObjectNode document, List<String> updated) -> {
                if (!updated.isEmpty()) {
                    request.changed("config", "system", null, document);
                }
                Map<String, Object> view = new LinkedHashMap<>();
                view.put("updated_fields", updated);
                view.put("restart_required", false);
                view.put("config", document);
                yield EmsAnswer.ok(view);
            }
            case SystemConfiguration.Saved.Not(Refused why) -> throw why.exception();
        };
    }

    private ConfigurationKind kind(EmsRequest request) {
        String word = request.variable("kind");
        return configurations
                .kind(word)
                .orElseThrow(
                        () ->
                                Refused.of(
                                                EmsCode.NOT_FOUND,
                                                "There is no configuration of %s.".formatted(word))
                                        .exception());
    }

    private EmsAnswer ids(EmsRequest request) {
        return EmsAnswer.ok(request.paging().of(kind(request).ids(), each -> each));
    }

    private EmsAnswer get(EmsRequest request) {
        return kind(request)
                .get(request.variable("id"))
                .map(EmsAnswer::ok)
                .orElseThrow(
                        () ->
                                Refused.of(EmsCode.NOT_FOUND, "There is no such configuration.")
                                        .exception());
    }

    private EmsAnswer put(EmsRequest request) {
        ConfigurationKind kind = kind(request);
        String id = request.variable("id");
        Optional<ObjectNode> before = kind.get(id);
        ConfigurationKind.Saved saved =
                kind.put(id, request.object(), expected(request), user(request));
        return switch (saved) {
            case ConfigurationKind.Saved.Done(ObjectNode document, boolean created) -> {
                request.changed(kind.word(), id, before.orElse(null), document);
                yield created
                        ? EmsAnswer.created(
                                "/api/config/%s/%s".formatted(kind.word(), id), document)
                        : EmsAnswer.ok(document);
            }
            case ConfigurationKind.Saved.Not(Refused why) -> throw why.exception();
        };
    }

    private EmsAnswer delete(EmsRequest request) {
        ConfigurationKind.Saved saved =
                kind(request)
                        .delete(
                                request.variable("id"),
                                request.flag("force").orElse(false),
                                user(request));
        return switch (saved) {
            case ConfigurationKind.Saved.Done(ObjectNode gone, boolean created) -> {
                request.changed(request.variable("kind"), request.variable("id"), gone, null);
                yield EmsAnswer.ok(Map.of("id", request.variable("id"), "deleted", true));
            }
            case ConfigurationKind.Saved.Not(Refused why) -> throw why.exception();
        };
    }

    // ---------------------------------------------------------------- history

    private EmsAnswer version(EmsRequest request) {
        return configurations
                .snapshot(number(request.variable("version"), "version"))
                .map(EmsAnswer::ok)
                .orElseThrow(
                        () ->
                                Refused.of(
                                                EmsCode.NOT_FOUND,
                                                "There is no such version, or it is too old.")
                                        .exception());
    }

    private EmsAnswer difference(EmsRequest request) {
        long from =
                number(
                        request.query("from")
                                .orElseThrow(() -> invalid("from is missing: a version.")),
                        "from");
        long to =
                request.query("to")
                        .map(text -> number(text, "to"))
                        .orElseGet(configurations::version);
        return EmsAnswer.ok(
                Map.of(
                        "from",
                        from,
                        "to",
                        to,
                        "changes",
                        known(configurations.difference(from, to))));
    }

    private EmsAnswer rollback(EmsRequest request) {
        ObjectNode body = request.object();
        JsonNode version = body.path("version");
        if (!version.isIntegralNumber() || !version.canConvertToLong()) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, "version must be a whole number.")
                    .exception();
        }
        boolean force = body.path("force").asBoolean(false);
        return applied(known(configurations.rollback(version.longValue(), force, user(request))));
    }

    private EmsAnswer imported(EmsRequest request) {
        boolean tryOnly = request.flag("dry_run").orElse(false);
        return applied(known(configurations.put(request.object(), tryOnly, user(request))));
    }

    private static EmsAnswer applied(Configurations.Applied applied) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("version", applied.version());
        view.put("applied", applied.done());
        view.put("refused", applied.refused());
        return EmsAnswer.ok(view);
    }

    private static <T> T known(Configurations.Known<T> known) {
        return switch (known) {
            case Configurations.Known.Good<T>(T value) -> value;
            case Configurations.Known.Not<T>(Refused why) -> throw why.exception();
        };
    }

    private static long number(String text, String name) {
        if (!text.matches("[0-9]{1,18}")) {
            throw invalid(name + " must be a whole number.");
        }
        return Long.parseLong(text);
    }

    private static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.INVALID_PARAMETER, sentence).exception();
    }
}
