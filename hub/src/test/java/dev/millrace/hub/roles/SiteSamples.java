package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Configuration, events, locks and temporary values. */
final class SiteSamples {
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static final String COPIES =
            "{\"source\":{\"pattern\":\"comsrv:*:T\"},\"target\":{\"pattern\":\"board:$1\"}}";

    private SiteSamples() {}

    private static String session(Stage stage) {
        return stage.prepare(
                        "POST",
                        "/api/auth/login",
                        "{\"username\":\"admin\",\"password\":\"%s\"}"
                                .formatted(stage.token(Who.ADMIN).orElseThrow()))
                .replaceAll("(?s).*\"access_token\":\"([^\"]*)\".*", "$1");
    }

    /** The name of one that is configured. */
    private static String service(Stage stage) {
        String name = "s" + NEXT.incrementAndGet();
        stage.prepare("PUT", "/api/config/services/" + name, "{\"a\":1}");
        return name;
    }

    static void put(Map<String, Sample> all) {
        all.put("GET /api/apigateway/health", reads("/api/apigateway/health"));
        for (String api : List.of("/api/auth", "/api/v1/auth")) {
            all.put(
                    "POST " + api + "/login",
                    reads(
                            stage ->
                                    Call.of(
                                            api + "/login",
                                            "{\"username\":\"admin\",\"password\":\"%s\"}"
                                                    .formatted(
                                                            stage.token(Who.ADMIN)
                                                                    .orElseThrow()))));
            all.put("GET " + api + "/profile", reads(api + "/profile"));
            all.put("POST " + api + "/logout", reads(api + "/logout"));
            all.put(
                    "POST " + api + "/refresh",
                    reads(
                            stage ->
                                    Call.of(
                                            api + "/refresh",
                                            "{\"refresh_token\":\"%s\"}"
                                                    .formatted(session(stage)))));
        }
        for (String path : List.of("/api/config/system", "/api/v1/config/system")) {
            all.put("GET " + path, reads(path));
            all.put(
                    "PUT " + path,
                    changes(
                            stage ->
                                    Call.of(
                                            path,
                                            "{\"note\":\"%d\"}"
                                                    .formatted(NEXT.incrementAndGet()))));
        }
        for (String path :
                List.of(
                        "/api/config/version",
                        "/api/config/versions",
                        "/api/config/export",
                        "/api/v1/config/channels/export",
                        "/api/status/system",
                        "/api/status/services",
                        "/api/queues")) {
            all.put("GET " + path, reads(path));
        }
        all.put(
                "GET /api/config/versions/{version}",
                reads(
                        stage -> {
                            service(stage);
                            return Call.of("/api/config/versions/" + newest(stage));
                        }));
        all.put(
                "GET /api/config/diff",
                reads(stage -> Call.of("/api/config/diff?from=" + newest(stage))));
        all.put("GET /api/config/{kind}", reads("/api/config/services"));
        String one = " /api/config/{kind}/{id}";
        all.put("GET" + one, reads(stage -> Call.of("/api/config/services/" + service(stage))));
        all.put(
                "PUT" + one,
                changes(stage -> Call.of("/api/config/services/" + service(stage), "{\"a\":2}")));
        all.put(
                "DELETE" + one,
                changes(stage -> Call.of("/api/config/services/" + service(stage))));
        all.put(
                "POST /api/config/rollback",
                changes(
                        stage -> {
                            String before = newest(stage);
                            service(stage);
                            return Call.of("/api/config/rollback", "{\"version\":" + before + "}");
                        }));
        for (String path : List.of("/api/config/import", "/api/v1/config/channels/import")) {
            all.put(
                    "POST " + path,
                    changes(
                            stage ->
                                    Call.of(
                                            path,
                                            "{\"services\":{\"in%d\":{}}}"
                                                    .formatted(NEXT.incrementAndGet()))));
        }
        all.put("GET /api/status/services/{service}", reads("/api/status/services/comsrv"));
        queues(all);
        locks(all);
        temporary(all);
        sync(all);
    }

    /** The path of one that is there. */
    private static String pattern(Stage stage) {
        String path = "/api/sync/patterns/p" + NEXT.incrementAndGet();
        stage.prepare("PUT", path, COPIES);
        return path;
    }

    private static String job(Stage stage) {
        String path = "/api/sync/jobs/j" + NEXT.incrementAndGet();
        String pattern = pattern(stage);
        stage.prepare(
                "PUT",
                path,
                "{\"pattern\":\"%s\",\"interval\":3600,\"enabled\":false}"
                        .formatted(pattern.substring(pattern.lastIndexOf('/') + 1)));
        return path;
    }

    private static void sync(Map<String, Sample> all) {
        all.put("GET /api/sync/patterns", reads("/api/sync/patterns"));
        all.put("GET /api/sync/jobs", reads("/api/sync/jobs"));
        String pattern = " /api/sync/patterns/{id}";
        all.put("GET" + pattern, reads(stage -> Call.of(pattern(stage))));
        all.put(
                "PUT" + pattern,
                changes(
                        stage ->
                                Call.of(
                                        pattern(stage),
                                        COPIES.replace("board", "b" + NEXT.incrementAndGet()))));
        all.put("DELETE" + pattern, changes(stage -> Call.of(pattern(stage))));
        all.put("POST" + pattern + "/run", changes(stage -> Call.of(pattern(stage) + "/run")));
        String job = " /api/sync/jobs/{id}";
        all.put("GET" + job, reads(stage -> Call.of(job(stage))));
        all.put(
                "PUT" + job,
                changes(
                        stage ->
                                Call.of(
                                        job(stage),
                                        "{\"pattern\":\"x\",\"interval\":%d,\"enabled\":false}"
                                                .formatted(1000 + NEXT.incrementAndGet()))));
        all.put("DELETE" + job, changes(stage -> Call.of(job(stage))));
        all.put("POST" + job + "/run", changes(stage -> Call.of(job(stage) + "/run")));
    }

    private static String newest(Stage stage) {
        return stage.prepare("GET", "/api/config/version", "")
                .replaceAll("(?s).*\"version\":(\\d+).*", "$1");
    }

    private static void queues(Map<String, Sample> all) {
        String one = "/api/queues/{type}";
        all.put("GET " + one, reads("/api/queues/config"));
        all.put(
                "GET " + one + "/last",
                reads(
                        stage -> {
                            stage.prepare("POST", "/api/queues/told", "{}");
                            return Call.of("/api/queues/told/last");
                        }));
        all.put("POST " + one, changes(stage -> Call.of("/api/queues/told", "{\"a\":1}")));
    }

    /** The path with the token of one that is held. */
    private static String held(Stage stage) {
        String path = "/api/locks/l" + NEXT.incrementAndGet();
        String token =
                stage.prepare("POST", path, "{\"ttl\":600}")
                        .replaceAll("(?s).*\"token\":\"([^\"]*)\".*", "$1");
        return path + "?token=" + token;
    }

    private static void locks(Map<String, Sample> all) {
        String one = "/api/locks/{resource}";
        all.put("GET " + one, reads(stage -> Call.of(held(stage))));
        all.put(
                "POST " + one,
                changes(
                        stage ->
                                Call.of("/api/locks/l" + NEXT.incrementAndGet(), "{\"ttl\":600}")));
        all.put("PUT " + one, changes(stage -> Call.of(held(stage), "{\"ttl\":500}")));
        all.put("DELETE " + one, changes(stage -> Call.of(held(stage))));
    }

    private static void temporary(Map<String, Sample> all) {
        for (String place : List.of("cache/{key}", "calculations/{id}")) {
            String one = "/api/temp/" + place;
            String body = "{\"value\":1,\"status\":\"done\",\"ttl\":3600}";
            all.put("GET " + one, reads(stage -> Call.of(there(stage, place, body))));
            all.put("PUT " + one, changes(stage -> Call.of(there(stage, place, body), body)));
            all.put("DELETE " + one, changes(stage -> Call.of(there(stage, place, body))));
        }
    }

    private static String there(Stage stage, String place, String body) {
        String path = "/api/temp/" + place.replaceAll("\\{.*", "t" + NEXT.incrementAndGet());
        stage.prepare("PUT", path, body);
        return path;
    }
}
