package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at every answer, and counts. Thread-safe. */
final class Judge {
    private static final Pattern CLASS_NAME =
            Pattern.compile(
                    "\\b(dev\\.millrace|javax?\\.[a-z]+|com\\.(fasterxml|hivemq|sun|google)"
                        + "|io\\.(netty|vertx|micrometer)|tools\\.jackson|org\\.apache|kotlin)\\.\\w+|\\b\\w{2,}(Exception|Error)\\b|\\bat"
                        + " \\w+\\.\\w+\\(");

    /** Words that look like class names and are part of what the hub promises to its clients. */
    private static final Set<String> PROMISED =
            Set.of("HTTPValidationError", "ValidationError", "HTTPError");

    /** Their purpose is to show names of loggers, settings, programs; admins ask for them. */
    private static final Pattern SHOWS_NAMES =
            Pattern.compile(
                    "[A-Z]+ (/ops/(log|catalogue|settings|doctor)|/ui|/docs|/openapi|/metrics"
                            + "|/history/(api|openapi)|/api/v1/(metrics|config)|/ops/backup).*",
                    Pattern.DOTALL);

    /** Where clients of these APIs expect to be told so: no metadata service, CBOR in a change. */
    private static final Pattern NOT_IMPLEMENTED =
            Pattern.compile("GET /api/v1/valuedescriptor/device.*|PUT /api/v1/event.*");

    final Faults faults;
    private final Map<Kind, LongAdder> sent = new ConcurrentHashMap<>();
    private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();
    private final AtomicLong all = new AtomicLong();
    private volatile Runnable onSent = () -> {};

    Judge(Faults faults) {
        this.faults = faults;
    }

    /** Told after each; for whoever wants to look now and then. */
    void whenSent(Runnable action) {
        onSent = action;
    }

    void sent(Kind kind, int count) {
        sent.computeIfAbsent(kind, each -> new LongAdder()).add(count);
        all.addAndGet(count);
        onSent.run();
    }

    long all() {
        return all.get();
    }

    long sent(Kind kind) {
        LongAdder count = sent.get(kind);
        return count == null ? 0 : count.sum();
    }

    long answered(int status) {
        LongAdder count = statuses.get(status);
        return count == null ? 0 : count.sum();
    }

    long serverErrors() {
        return statuses.entrySet().stream()
                .filter(
                        each ->
                                each.getKey() >= 500
                                        && each.getKey() != 501
                                        && each.getKey() != 503)
                .mapToLong(each -> each.getValue().sum())
                .sum();
    }

    String statuses() {
        StringBuilder text = new StringBuilder();
        statuses.forEach((status, count) -> text.append(" %d×%s".formatted(status, count)));
        return text.toString().strip();
    }

    /**
     * An answer over HTTP.
     *
     * @param label the route, so that one fault on one route counts as one
     */
    void heard(Heard heard, String label, Faults.Place place, byte[] request) {
        statuses.computeIfAbsent(heard.status(), each -> new LongAdder()).increment();
        String shown = heard.head() + beginning(heard.text());
        if (heard.status() == 503) {
            if (heard.header("retry-after").isEmpty()) {
                faults.add("503 without Retry-After: " + label, place, request, shown);
            }
        } else if (heard.status() >= 500 && !isPromised(heard, label)) {
            faults.add(heard.status() + " for " + label, place, request, shown);
        }
        if (!SHOWS_NAMES.matcher(label).matches()
                || (heard.status() >= 400 && !label.endsWith("/ops/log"))) {
            names(heard.head() + heard.text(), label, place, request);
        }
    }

    private static boolean isPromised(Heard heard, String label) {
        return heard.status() == 501
                && heard.body().length > 0
                && NOT_IMPLEMENTED.matcher(label).matches();
    }

    /** No answer tells how the hub is made; what the request itself said may come back. */
    void names(String answer, String label, Faults.Place place, byte[] request) {
        Matcher found = CLASS_NAME.matcher(answer);
        while (found.find()) {
            String name = found.group();
            if (!PROMISED.contains(name) && !new String(request, ISO_8859_1).contains(name)) {
                int from = Math.max(0, found.start() - 200);
                faults.add(
                        "class name in an answer to " + label,
                        place,
                        request,
                        name
                                + " in "
                                + answer.substring(
                                        from, Math.min(answer.length(), found.end() + 200)));
                return;
            }
        }
    }

    static String beginning(String text) {
        return text.length() > 400 ? text.substring(0, 400) + "…" : text;
    }
}
