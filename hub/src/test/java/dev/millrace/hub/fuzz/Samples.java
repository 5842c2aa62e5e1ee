package dev.millrace.hub.fuzz;

import java.util.List;
import java.util.Map;

/** Bodies as the routes want them, with few names, so that one client meets what another did. */
final class Samples {
    private Samples() {}

    /** Where everything is refused; nothing leaves this machine. */
    private static final String NOWHERE = "http://127.0.0.1:9/";

    static final String EVENT =
            """
            {"id":"e#","device":"d#","pushed":0,"origin":1590508601358048800,"readings":[\
            {"name":"temperature","value":"20.5","device":"d#","origin":5,"valueType":"Float64"},\
            {"name":"picture","binaryValue":"AQID","mediaType":"image/png"}]}\
            """;

    private static final String READING =
            """
            {"id":"r#","name":"temperature","value":"21","device":"d#","origin":7}\
            """;

    private static final String DESCRIPTOR =
            """
            {"id":"v#","name":"t#","description":"of the room","min":"-10","max":30.5,\
            "defaultValue":{"a":[1]},"type":"F","uomLabel":"C","formatting":"%5.1f",\
            "labels":["room","air"],"mediaType":"text/plain","floatEncoding":"eNotation"}\
            """;

    private static final String NOTIFICATION =
            """
            {"slug":"s#","sender":"boiler","category":"SECURITY","severity":"CRITICAL",\
            "content":"It burns.","description":"hot","status":"NEW","labels":["hot"],\
            "contentType":"text/plain","origin":5}\
            """;

    private static final String SUBSCRIPTION =
            """
            {"slug":"w#","receiver":"ann","description":"x","subscribedCategories":["SECURITY"],\
            "subscribedLabels":["hot"],"channels":[{"type":"REST","url":"%s","secret":"a"},\
            {"type":"EMAIL","mailAddresses":["a@localhost"]},{"type":"MQTT","topic":"house/a"},\
            {"type":"MESSAGE_CHANNEL","messageChannel":"c#"}]}\
            """
                    .formatted(NOWHERE);

    private static final String TRANSMISSION =
            """
            {"notification":%s,"receiver":"ann","channel":{"type":"REST","url":"%s"},\
            "status":"SENT","resendcount":1,"records":[{"status":"SENT","response":"200",\
            "sent":5}],"created":5}\
            """
                    .formatted(NOTIFICATION, NOWHERE);

    static final String DOCUMENT =
            """
            {"namespace":"n#","id":"d#","n":1,"list":[1,{"a":null}],"text":"x"}\
            """;

    private static final String SINGLE = "{\"namespace\":\"n#\",\"id\":\"d#\"}";
    private static final String MANY =
            "{\"namespace\":\"n#\",\"ids\":[\"d0\",\"d1\"],\"filter\":\"*\"}";

    /** By what a path ends with; the first that fits. */
    private static final Map<String, String> BY_END =
            Map.ofEntries(
                    Map.entry("/api/v1/event", EVENT),
                    Map.entry("/api/v1/events", EVENT),
                    Map.entry("/api/v1/reading", READING),
                    Map.entry("/valuedescriptor", DESCRIPTOR),
                    Map.entry("/notification", NOTIFICATION),
                    Map.entry("/subscription", SUBSCRIPTION),
                    Map.entry("/transmission", TRANSMISSION),
                    Map.entry("/datastore/set", "{\"value\":" + DOCUMENT + "}"),
                    Map.entry(
                            "/datastore/mset", "{\"values\":[" + DOCUMENT + "," + DOCUMENT + "]}"),
                    Map.entry("/datastore/get", SINGLE),
                    Map.entry("/datastore/delete", SINGLE),
                    Map.entry("/datastore/mget", MANY),
                    Map.entry("/datastore/mdelete", MANY),
                    Map.entry("/datastore/import", DOCUMENT),
                    Map.entry("/datastore/document", "{\"n\":null,\"more\":{\"a\":[1]}}"),
                    Map.entry(
                            "/datastore/undo",
                            "{\"namespace\":\"n#\",\"id\":\"d#\",\"version\":0}"),
                    Map.entry(
                            "/messages",
                            "[{\"messageID\":\"m#\",\"content\":{\"x\": 1}},"
                                    + "{\"content\":\"two\",\"messageID\":\"n#\"}]"),
                    Map.entry("/message/{message:any}", "{\"x\":[1,\"#\"]}"),
                    Map.entry(
                            "/ops/tokens",
                            "{\"name\":\"f#\",\"role\":\"viewer\",\"scopes\":[\"ops\"],"
                                    + "\"expires\":\"1h\"}"),
                    Map.entry(
                            "/ops/log",
                            "{\"logger\":\"fuzz.f#\",\"level\":\"info\",\"for\":\"1m\"}"),
                    Map.entry("/ops/fsck", "{\"repair\":false}"));

    /** What a route takes, or something that it will have to refuse. */
    static String of(String path, Dice dice) {
        return numbered(
                BY_END.entrySet().stream()
                        .filter(each -> path.endsWith(each.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse("{\"a\":[1,\"x\"]}"),
                dice);
    }

    static String numbered(String sample, Dice dice) {
        return sample.replace("#", Integer.toString(dice.below(6)));
    }

    /** Something that a variable or a parameter of this name would be honestly. */
    static String tame(String name, Dice dice) {
        int number = dice.below(6);
        return switch (name) {
            case "channel" -> "c" + number;
            case "subscriber" -> "u" + number;
            case "message" -> "m" + dice.below(1000);
            case "device" -> "d" + number;
            case "slug" -> "s" + number;
            case "namespace" -> "n" + number;
            case "limit", "max" -> dice.of("1", "3", "100");
            case "timeout" -> "5ms";
            case "wait" -> "0";
            case "feeds" -> dice.of("events", "events,documents", "audit", "notifications");
            case "from" -> dice.of("oldest", "newest", "now", "1", "beginning");
            case "start", "age" -> dice.of("0", "1000");
            case "end" -> "9999999999999";
            case "category" -> "*";
            case "level" -> "INFO";
            default -> dice.of("d", "e", "r", "v", "t", "w", "x") + number;
        };
    }

    static final List<String> GARBAGE_TOKENS =
            List.of(
                    "",
                    "mr_",
                    "mr_" + "0".repeat(40),
                    "x".repeat(4000),
                    "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
                    "eyJhbGciOiJIUzI1NiJ9.e30.x",
                    "..",
                    "\u00ff");
}
