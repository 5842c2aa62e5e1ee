package dev.millrace.bench.documents;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Widgets of a dashboard, about 300 bytes each, as the user interface of a brewery stores them. */
public final class Samples {
    public static final int NAMESPACES = 100;
    public static final int IN_NAMESPACE = 100;

    private Samples() {}

    public static String namespace(int number) {
        return "bench-" + number % NAMESPACES + ":dashboard-items";
    }

    public static String id(int number) {
        return "widget-" + number % IN_NAMESPACE;
    }

    /** The key of a document, which is its place and nothing else. */
    public static String key(int namespace, int number) {
        return namespace(namespace) + ":" + id(number);
    }

    public static String document(int namespace, int number) {
        return String.format(
                Locale.ROOT,
                "{\"namespace\":\"%s\",\"id\":\"%s\",\"feature\":\"Stopwatch\",\"order\":%d,"
                    + "\"config\":{\"session\":null,\"fields\":[\"spark-one/pressure[bar]\",\"spark-one/beer[degC]\"],\"interval\":2.5},\"rows\":2,\"title\":\"Stopwatch"
                    + " %d\",\"dashboard\":\"dashboard-home\",\"cols\":4,\"pinnedPosition\":{\"x\":%d,\"y\":4}}",
                namespace(namespace),
                id(number),
                number,
                number,
                number % 12);
    }

    /** All documents of a namespace, as mset takes them. */
    public static String all(int namespace) {
        return IntStream.range(0, IN_NAMESPACE)
                .mapToObj(number -> document(namespace, number))
                .collect(Collectors.joining(",", "{\"values\":[", "]}"));
    }

    public static String query(int namespace, int number) {
        return "{\"namespace\":\"%s\",\"id\":\"%s\"}".formatted(namespace(namespace), id(number));
    }

    /** All ids of a namespace. */
    public static String ids(int namespace) {
        return IntStream.range(0, IN_NAMESPACE)
                .mapToObj(number -> '"' + id(number) + '"')
                .collect(
                        Collectors.joining(
                                ",",
                                "{\"namespace\":\"%s\",\"ids\":[".formatted(namespace(namespace)),
                                "]}"));
    }

    public static String filter(int namespace) {
        return "{\"namespace\":\"%s\",\"filter\":\"*\"}".formatted(namespace(namespace));
    }
}
