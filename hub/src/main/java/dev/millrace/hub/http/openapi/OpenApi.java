package dev.millrace.hub.http.openapi;

import dev.millrace.hub.http.Guard;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The description of the API, made from the table of routes, so that it cannot say anything else
 * than what is there. Shapes of bodies come from the records that handlers read and write ({@link
 * Shapes}).
 */
final class OpenApi {
    private static final Pattern VARIABLE = Pattern.compile("\\{([a-zA-Z]+)(:[a-z]+)?}");

    private final RouteTable table;
    private final String version;
    private final Shapes shapes = new Shapes();

    private OpenApi(RouteTable table, String version) {
        this.table = table;
        this.version = version;
    }

    /** The description as JSON. */
    static byte[] of(RouteTable table, String version) {
        return Json.write(new OpenApi(table, version).document());
    }

    private Map<String, Object> document() {
        Map<String, Map<String, Object>> paths = new TreeMap<>();
        Set<String> tags = new LinkedHashSet<>();
        for (Route route : table.routes()) {
            String tag = tag(route);
            tags.add(tag);
            paths.computeIfAbsent(path(route), path -> new TreeMap<>())
                    .put(
                            route.method().name().toLowerCase(java.util.Locale.ROOT),
                            operation(route, tag));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", Map.of("title", "Millrace", "version", version));
        document.put("tags", tags.stream().map(tag -> Map.of("name", tag)).toList());
        document.put("paths", paths);
        document.put(
                "components",
                Map.of(
                        "schemas",
                        shapes.named(),
                        "securitySchemes",
                        Map.of("token", Map.of("type", "http", "scheme", "bearer"))));
        return document;
    }

    static String path(Route route) {
        return VARIABLE.matcher(route.path()).replaceAll("{$1}");
    }

    private String tag(Route route) {
        return switch (route.guard()) {
            case Guard.Needs needs -> needs.door().room();
            case Guard.Anyone anyone -> table.owner(route.path()).name();
            case Guard.OwnCheck own -> table.owner(route.path()).name();
        };
    }

    private Map<String, Object> operation(Route route, String tag) {
        Route.Documentation words = route.documentation();
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("tags", List.of(tag));
        operation.put("summary", words.about());
        operation.put("description", access(route.guard()));
        List<Map<String, Object>> parameters = new java.util.ArrayList<>();
        Matcher variables = VARIABLE.matcher(route.path());
        while (variables.find()) {
            parameters.add(parameter(variables.group(1), "path", true, ""));
        }
        words.parameters()
                .forEach(
                        each ->
                                parameters.add(
                                        parameter(each.name(), "query", false, each.about())));
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        if (words.takes() != null) {
            operation.put(
                    "requestBody",
                    Map.of(
                            "required",
                            true,
                            "content",
                            content("application/json", shapes.of(words.takes()))));
        }
        Map<String, Object> good = new LinkedHashMap<>();
        good.put("description", "As asked.");
        if (words.gives() != null) {
            good.put("content", content(words.type(), shapes.of(words.gives())));
        } else if (!words.type().equals("application/json")) {
            good.put("content", content(words.type(), Map.of("type", "string")));
        }
        operation.put(
                "responses",
                Map.of("200", good, "default", Map.of("description", "A problem, in words.")));
        if (route.guard() instanceof Guard.Needs) {
            operation.put("security", List.of(Map.of("token", List.of())));
        }
        return operation;
    }

    private static String access(Guard guard) {
        return switch (guard) {
            case Guard.Anyone anyone -> "For anyone.";
            case Guard.Needs needs ->
                    needs.door()
                            .needed()
                            .map(role -> "Needs the role %s.".formatted(role.word()))
                            .orElse("For anyone.");
            case Guard.OwnCheck(String how) -> how;
        };
    }

    private static Map<String, Object> parameter(
            String name, String in, boolean required, String about) {
        Map<String, Object> parameter = new LinkedHashMap<>();
        parameter.put("name", name);
        parameter.put("in", in);
        parameter.put("required", required);
        if (!about.isEmpty()) {
            parameter.put("description", about);
        }
        parameter.put("schema", Map.of("type", "string"));
        return parameter;
    }

    private static Map<String, Object> content(String type, Map<String, Object> shape) {
        return Map.of(type, Map.of("schema", shape));
    }
}
