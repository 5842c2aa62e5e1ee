package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import dev.millrace.hub.http.Json;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pages, feeds, and what it takes to run the hub. */
final class OpsSamples {
    private static final Pattern LIBRARY = Pattern.compile("\"(/ui/lib/[^\"]+)\"");
    private static final Pattern MODULE = Pattern.compile("\"(/ui/lib/(?:[^/\"]+/){3}[^/\"]+)\"");
    private static final Pattern FILE = Pattern.compile("\"(/ui/[^/\"]+)\"");

    private OpsSamples() {}

    static void put(Map<String, Sample> all) {
        for (String path :
                List.of(
                        "/",
                        "/ui",
                        "/ui/alarms",
                        "/ui/values",
                        "/ui/channels",
                        "/ui/models",
                        "/ui/rules",
                        "/ui/history",
                        "/ui/shop",
                        "/docs",
                        "/docs/",
                        "/openapi.json",
                        "/health",
                        "/health/live",
                        "/health/ready",
                        "/metrics",
                        "/api/v1/ping",
                        "/api/version",
                        "/api/v1/config",
                        "/api/v1/metrics",
                        "/ops/figures",
                        "/ops/log",
                        "/ops/doctor",
                        "/ops/catalogue",
                        "/ops/settings",
                        "/ops/fsck",
                        "/ops/memory",
                        "/ops/tokens",
                        "/ops/audit")) {
            all.put("GET " + path, reads(path));
        }
        all.put("GET /ui/why/{id}", reads("/ui/why/alarm-hot-1"));
        all.put("GET /ui/{file}", reads(stage -> Call.of(linked(stage, FILE))));
        all.put(
                "GET /ui/lib/{library}/{version}/{file}",
                reads(stage -> Call.of(linked(stage, LIBRARY))));
        all.put(
                "GET /ui/lib/{library}/{version}/{folder}/{file}",
                reads(stage -> Call.of(linked(stage, MODULE))));
        all.put(
                "GET /live (a feed of a room)",
                reads("/live?feeds=events,notifications,documents"));
        all.put("GET /live (the feed of the audit)", reads("/live?feeds=audit"));
        all.put(
                "POST /ops/tokens",
                changes(stage -> Call.of("/ops/tokens", tokenOf(stage.fresh("token")))));
        all.put(
                "DELETE /ops/tokens/{id}",
                changes(
                        stage -> {
                            String made =
                                    stage.prepare(
                                            "POST", "/ops/tokens", tokenOf(stage.fresh("token")));
                            return Call.of(
                                    "/ops/tokens/"
                                            + Json.MAPPER
                                                    .readTree(made)
                                                    .at("/token/id")
                                                    .asString());
                        }));
        all.put(
                "PUT /ops/log",
                changes(
                        stage -> {
                            ChannelSamples.quiet("dev.millrace.hub.roles.sample");
                            return Call.of(
                                    "/ops/log",
                                    "{\"logger\":\"dev.millrace.hub.roles.sample\",\"level\":\"debug\"}");
                        }));
        all.put("POST /ops/backup", changes(stage -> Call.of("/ops/backup")));
        chore(all, "/ops/fsck", "check stopped");
        chore(all, "/ops/memory", "memory measurement stopped");
    }

    /** Something that runs changes the state all the time, so what is looked at is the audit. */
    private static void chore(Map<String, Sample> all, String path, String stopped) {
        all.put("POST " + path, changes(stage -> Call.of(path)));
        all.put(
                "DELETE " + path,
                changes(
                                stage -> {
                                    stage.busy(path);
                                    return Call.of(path);
                                })
                        .watching(stage -> stage.audited(stopped)));
    }

    private static String tokenOf(String name) {
        return "{\"name\":\"%s\",\"role\":\"viewer\"}".formatted(name);
    }

    private static String linked(Stage stage, Pattern link) {
        Matcher found = link.matcher(stage.prepare("GET", "/", ""));
        if (!found.find()) {
            throw new IllegalStateException("The page links to nothing like " + link);
        }
        return found.group(1);
    }
}
