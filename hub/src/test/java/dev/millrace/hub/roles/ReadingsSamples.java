package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import dev.millrace.hub.http.Json;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Events, readings and value descriptors. */
final class ReadingsSamples {
    private static final String EVENT = "/api/v1/event";
    private static final String READING = "/api/v1/reading";
    private static final String DESCRIPTOR = "/api/v1/valuedescriptor";

    private ReadingsSamples() {}

    private static String eventOf(String device) {
        return "{\"device\":\"%s\",\"readings\":[{\"name\":\"t\",\"value\":\"1\"}]}"
                .formatted(device);
    }

    private static String event(Stage stage, String device) {
        return stage.prepare("POST", EVENT, eventOf(device));
    }

    private static String event(Stage stage) {
        return event(stage, stage.fresh("device"));
    }

    private static String readingOf(Stage stage, String event) {
        return Json.MAPPER
                .readTree(stage.prepare("GET", EVENT + "/" + event, ""))
                .at("/readings/0/id")
                .asString();
    }

    /** Its name; there is a reading of it too. */
    private static String descriptor(Stage stage) {
        String name = stage.fresh("value");
        stage.prepare(
                "POST",
                DESCRIPTOR,
                "{\"name\":\"%s\",\"uomLabel\":\"C\",\"labels\":[\"hot\"],\"type\":\"F\"}"
                        .formatted(name));
        return name;
    }

    private static String idOf(Stage stage, String descriptor) {
        return Json.MAPPER
                .readTree(stage.prepare("GET", DESCRIPTOR + "/name/" + descriptor, ""))
                .get("id")
                .asString();
    }

    /** An event in CBOR, which alone has a checksum; all of its texts are short. */
    private static String cbor(String device) {
        return "\u00a2" + text("device") + text(device) + text("readings") + "\u0080";
    }

    private static String text(String text) {
        return (char) (0x60 + text.length()) + text;
    }

    /** The checksum of an event that is there. */
    private static String checksum(Stage stage) {
        Call call =
                new Call(EVENT, cbor(stage.fresh("d")), Map.of("Content-Type", "application/cbor"));
        Stage.Reply reply = stage.send(Who.ADMIN, "POST", call);
        if (!reply.done()) {
            throw new IllegalStateException(reply.toString());
        }
        String index = (String) ((List<?>) stage.redis("KEYS", "event:checksum:*")).getFirst();
        return index.substring("event:checksum:".length());
    }

    static void put(Map<String, Sample> all) {
        all.put(
                "POST /api/v1/event",
                changes(stage -> Call.of(EVENT, eventOf(stage.fresh("device")))));
        all.put("GET /api/v1/event", reads(EVENT));
        all.put("GET /api/v1/event/count", reads(EVENT + "/count"));
        all.put("GET /api/v1/event/count/{device}", reads(EVENT + "/count/boiler"));
        all.put("GET /api/v1/event/{id}", reads(stage -> Call.of(EVENT + "/" + event(stage))));
        all.put(
                "GET /api/v1/event/device/{device}/{limit:digits}",
                reads(EVENT + "/device/boiler/5"));
        all.put(
                "GET /api/v1/event/{start:digits}/{end:digits}/{limit:digits}",
                reads(EVENT + "/0/9999999999999/5"));
        all.put(
                "POST /api/v1/events",
                changes(
                        stage ->
                                Call.of(
                                        "/api/v1/events",
                                        "[" + eventOf(stage.fresh("device")) + "]")));
        all.put(
                "PUT /api/v1/event",
                changes(
                        stage ->
                                Call.of(
                                        EVENT,
                                        "{\"id\":\"%s\",\"device\":\"%s\"}"
                                                .formatted(event(stage), stage.fresh("other")))));
        all.put(
                "PUT /api/v1/event/id/{id}",
                changes(stage -> Call.of(EVENT + "/id/" + event(stage))));
        all.put(
                "PUT /api/v1/event/checksum/{checksum}",
                changes(stage -> Call.of(EVENT + "/checksum/" + checksum(stage))));
        all.put(
                "DELETE /api/v1/event/id/{id}",
                changes(stage -> Call.of(EVENT + "/id/" + event(stage))));
        all.put(
                "DELETE /api/v1/event/device/{device}",
                changes(
                        stage -> {
                            String device = stage.fresh("device");
                            event(stage, device);
                            return Call.of(EVENT + "/device/" + device);
                        }));
        all.put(
                "DELETE /api/v1/event/removeold/age/{age:digits}",
                changes(
                        stage -> {
                            event(stage);
                            return Call.of(EVENT + "/removeold/age/0");
                        }));
        all.put(
                "DELETE /api/v1/event/scrub",
                changes(
                        stage -> {
                            stage.prepare("PUT", EVENT + "/id/" + event(stage), "");
                            return Call.of(EVENT + "/scrub");
                        }));
        all.put(
                "DELETE /api/v1/event/scruball",
                changes(
                        stage -> {
                            event(stage);
                            return Call.of(EVENT + "/scruball");
                        }));
        readings(all);
        descriptors(all);
    }

    private static void readings(Map<String, Sample> all) {
        all.put(
                "POST /api/v1/reading",
                changes(
                        stage ->
                                Call.of(
                                        READING,
                                        "{\"name\":\"t\",\"device\":\"boiler\",\"value\":\"7\"}")));
        all.put(
                "PUT /api/v1/reading",
                changes(
                        stage ->
                                Call.of(
                                        READING,
                                        "{\"id\":\"%s\",\"name\":\"t\",\"value\":\"%s\"}"
                                                .formatted(
                                                        readingOf(stage, event(stage)),
                                                        UUID.randomUUID()))));
        all.put("GET /api/v1/reading", reads(READING));
        all.put("GET /api/v1/reading/count", reads(READING + "/count"));
        all.put(
                "GET /api/v1/reading/{id}",
                reads(stage -> Call.of(READING + "/" + readingOf(stage, event(stage)))));
        all.put(
                "DELETE /api/v1/reading/id/{id}",
                changes(stage -> Call.of(READING + "/id/" + readingOf(stage, event(stage)))));
        all.put(
                "GET /api/v1/reading/device/{device}/{limit:digits}",
                reads(READING + "/device/boiler/5"));
        all.put("GET /api/v1/reading/name/{name}/{limit:digits}", reads(READING + "/name/t/5"));
        all.put(
                "GET /api/v1/reading/name/{name}/device/{device}/{limit:digits}",
                reads(READING + "/name/t/device/boiler/5"));
        all.put(
                "GET /api/v1/reading/{start:digits}/{end:digits}/{limit:digits}",
                reads(READING + "/0/9999999999999/5"));
        for (String what : new String[] {"uomlabel", "label", "type"}) {
            all.put(
                    "GET /api/v1/reading/%s/{value}/{limit:digits}".formatted(what),
                    reads(
                            stage -> {
                                descriptor(stage);
                                return Call.of("%s/%s/F/5".formatted(READING, what));
                            }));
        }
    }

    private static void descriptors(Map<String, Sample> all) {
        all.put(
                "POST /api/v1/valuedescriptor",
                changes(
                        stage ->
                                Call.of(
                                        DESCRIPTOR,
                                        "{\"name\":\"%s\"}".formatted(stage.fresh("value")))));
        all.put(
                "PUT /api/v1/valuedescriptor",
                changes(
                        stage -> {
                            String name = descriptor(stage);
                            return Call.of(
                                    DESCRIPTOR,
                                    "{\"id\":\"%s\",\"name\":\"%s\",\"description\":\"new\"}"
                                            .formatted(idOf(stage, name), name));
                        }));
        all.put("GET /api/v1/valuedescriptor", reads(DESCRIPTOR));
        all.put(
                "GET /api/v1/valuedescriptor/{id}",
                reads(stage -> Call.of(DESCRIPTOR + "/" + idOf(stage, descriptor(stage)))));
        all.put(
                "GET /api/v1/valuedescriptor/name/{name}",
                reads(stage -> Call.of(DESCRIPTOR + "/name/" + descriptor(stage))));
        all.put(
                "DELETE /api/v1/valuedescriptor/id/{id}",
                changes(stage -> Call.of(DESCRIPTOR + "/id/" + idOf(stage, descriptor(stage)))));
        all.put(
                "DELETE /api/v1/valuedescriptor/name/{name}",
                changes(stage -> Call.of(DESCRIPTOR + "/name/" + descriptor(stage))));
        all.put(
                "GET /api/v1/valuedescriptor/uomlabel/{uomLabel}",
                reads(DESCRIPTOR + "/uomlabel/C"));
        all.put("GET /api/v1/valuedescriptor/label/{label}", reads(DESCRIPTOR + "/label/hot"));
        all.put(
                "GET /api/v1/valuedescriptor/devicename/{device}",
                reads(DESCRIPTOR + "/devicename/boiler"));
        all.put("GET /api/v1/valuedescriptor/deviceid/{id}", reads(DESCRIPTOR + "/deviceid/17"));
        all.put("GET /api/v1/valuedescriptor/usage", reads(DESCRIPTOR + "/usage"));
    }
}
