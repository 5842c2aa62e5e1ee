package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.http.CorsRule;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Section;
import dev.millrace.hub.settings.Tree;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What the configuration says about HTTP. */
record HttpPart(
        String pathPrefix,
        Optional<String> realIpHeader,
        List<Network> trustedProxies,
        boolean discloseAuthRejectionDetail,
        List<Header> defaultHeaders,
        Optional<CorsRule> cors,
        Duration longPollingMaxTimeout,
        int pollingMaxMessages,
        int maxMessageBytes) {

    private static final int STANDARD_BYTES = 1 << 20;
    private static final Bytes MOST_BYTES = Bytes.of("64MiB");
    private static final Duration MOST_POLLING = Duration.ofDays(1);

    private static final List<Header> HEADERS =
            List.of(
                    new Header("X-Frame-Options", "deny"),
                    new Header("X-Content-Type-Options", "nosniff"),
                    new Header("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate"),
                    new Header("Pragma", "no-cache"),
                    new Header("Expires", "0"));

    private static final Pattern PREFIX =
            Pattern.compile("([A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*)?");

    /** What the hub has settings of its own for, which hold for all rooms. */
    private static final List<String> OF_THE_HUB =
            List.of("idleTimeout", "readTimeout", "writeTimeout", "gracefulShutdownTimeout");

    static HttpPart read(Section section, List<String> warnings) {
        AllowedValues rules = new AllowedValues(section);
        notUsed(section, rules, warnings);
        HttpPart part =
                new HttpPart(
                        section.get("pathPrefix", "", plain -> prefix(plain.text())),
                        section.get(
                                "realIpHeader",
                                Optional.empty(),
                                plain -> Optional.of(realIp(plain.text()))),
                        rules.networks("trustedProxyRanges"),
                        section.yesOrNo("discloseAuthRejectionDetail"),
                        headers(section.section("defaultHeaders")),
                        cors(section),
                        polling(section, rules),
                        rules.number("pollingMaxMessages", 1000, 1),
                        rules.size("maxMessageBytes", STANDARD_BYTES, MOST_BYTES));
        section.end();
        return part;
    }

    private static void notUsed(Section section, AllowedValues rules, List<String> warnings) {
        if (section.has("port") || section.has("listen")) {
            int port = rules.number("port", 0, 0);
            if (port > 65535) {
                section.problem("port", "A port is 0 to 65535.");
            }
            section.text("listen");
            warnings.add(
                    "http.port and http.listen of pub/sub are not used: one port serves all rooms;"
                            + " http.host and http.port of Millrace say which.");
        }
        List<String> given = new ArrayList<>();
        for (String name : OF_THE_HUB) {
            if (section.has(name)) {
                rules.notNegative(name, Duration.ZERO);
                given.add(name);
            }
        }
        if (!given.isEmpty()) {
            warnings.add(
                    "http.%s of pub/sub are not used: the time limits of Millrace hold for all rooms (http.idle-time-out and those beside it)."
                            .formatted(String.join(", ", given)));
        }
    }

    private static Duration polling(Section section, AllowedValues rules) {
        Duration most = rules.orDefault("longPollingMaxTimeout", Duration.ofSeconds(30));
        if (most.compareTo(MOST_POLLING) > 0) {
            section.problem("longPollingMaxTimeout", "No poll waits longer than 24h.");
            return MOST_POLLING;
        }
        return most;
    }

    private static String prefix(String text) {
        String bare = text.replaceFirst("^/", "").replaceFirst("/$", "");
        if (!PREFIX.matcher(bare).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a valid path; write /messages or /my/messages.".formatted(text));
        }
        return bare.isEmpty() ? "" : "/" + bare;
    }

    private static String realIp(String text) {
        if (!AllowedValues.isHeaderName(text)) {
            throw new IllegalArgumentException("'%s' is not a valid header name.".formatted(text));
        }
        if (text.equalsIgnoreCase("Forwarded")) {
            throw new IllegalArgumentException(
                    "'%s' is not understood; let the proxy send X-Forwarded-For.".formatted(text));
        }
        return text;
    }

    private static List<Header> headers(Section section) {
        TreeMap<String, Header> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        HEADERS.forEach(header -> headers.put(header.name(), header));
        for (String name : section.names()) {
            if (!AllowedValues.isHeaderName(name)) {
                section.problem(name, "This is not a valid header name.");
            }
            String value = section.get(name, "", plain -> AllowedValues.headerValue(plain.text()));
            if (value.isEmpty()) {
                headers.remove(name);
            } else {
                headers.put(name, new Header(name, value));
            }
        }
        return List.copyOf(headers.values());
    }

    private static Optional<CorsRule> cors(Section http) {
        if (!http.has("cors")) {
            return Optional.empty();
        }
        Section section = http.section("cors");
        List<String> origins = section.oneOrMore("origins", plain -> origin(plain.text()));
        CorsRule rule =
                new CorsRule(
                        origins,
                        section.oneOrMore("headers", Tree.Plain::text),
                        new AllowedValues(section).notNegative("maxAge", Duration.ofMinutes(10)),
                        section.yesOrNo("credentials"));
        for (String header : rule.headers()) {
            if (!AllowedValues.isHeaderName(header)) {
                section.problem("headers", "'%s' is not a valid header name.".formatted(header));
            }
        }
        if (rule.credentials() && origins.contains("*")) {
            section.problem(
                    "credentials", "With credentials every origin must be named; * is too much.");
        }
        section.end();
        return origins.isEmpty() ? Optional.empty() : Optional.of(rule);
    }

    private static String origin(String text) {
        if (text.equals("*")) {
            return text;
        }
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null
                    && text.equals(uri.getScheme() + "://" + uri.getAuthority())) {
                return text;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new IllegalArgumentException(
                "'%s' is not a valid origin; write https://example.com or *.".formatted(text));
    }
}
