package dev.millrace.hub.pubsub.config;

import com.google.re2j.Matcher;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.settings.Section;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A webhook of the configuration, before it is filled in for a channel. */
record WebhookEntry(
        String id,
        ChannelTemplate url,
        String method,
        Map<String, ChannelTemplate> headers,
        Duration timeout,
        int maxRedirects,
        Webhook.Retry retry,
        int maxConnections,
        Duration maxIdleTime) {

    private static final int ID_BYTES = 6;
    private static final ChannelTemplate NONE = new ChannelTemplate("", List.of());

    /**
     * Reads one.
     *
     * @param regex of its entry, a part of what makes it the same one again
     * @param number how many like it stand before it
     */
    static WebhookEntry read(Section section, String regex, Set<String> groups, int number) {
        AllowedValues rules = new AllowedValues(section);
        ChannelTemplate url = section.get("url", NONE, plain -> url(plain.text(), groups));
        if (!section.has("url")) {
            section.problem("url", "A webhook needs an address.");
        }
        String method = section.get("method", "PUT", plain -> method(plain.text()));
        Section given = section.section("headers");
        Map<String, ChannelTemplate> headers = new LinkedHashMap<>();
        for (String name : given.names()) {
            headers.put(
                    headerName(given, name),
                    given.get(name, NONE, plain -> headerValue(plain.text(), groups)));
        }
        Duration timeout = rules.positive("timeout", Duration.ofSeconds(30));
        int maxRedirects = rules.number("maxRedirects", 10, 0);
        Webhook.Retry retry = retry(section.section("retry"));
        Section connection = section.section("connection");
        AllowedValues connections = new AllowedValues(connection);
        int max = connections.number("max", 1024, 1);
        Duration idle = connections.positive("maxIdleTime", Duration.ofMinutes(3));
        connection.end();
        section.end();
        return new WebhookEntry(
                id(regex, url.text(), method, Integer.toString(number)),
                url,
                method,
                headers,
                timeout,
                maxRedirects,
                retry,
                max,
                idle);
    }

    private static Webhook.Retry retry(Section section) {
        AllowedValues rules = new AllowedValues(section);
        Webhook.Retry retry =
                new Webhook.Retry(
                        rules.number("count", 3, 0),
                        rules.positive("interval", Duration.ofSeconds(3)),
                        rules.decimal("intervalMultiplier", 1.5, 1, 1000),
                        rules.notNegative("intervalJitter", Duration.ofMillis(1500)),
                        section.yesOrNo("force"));
        section.end();
        return retry;
    }

    private static ChannelTemplate url(String text, Set<String> groups) {
        ChannelTemplate template = ChannelTemplate.of(text, groups);
        // A group may stand for a name or for a port.
        if (!isAddress(template.filled(name -> "x")) && !isAddress(template.filled(name -> "1"))) {
            throw new IllegalArgumentException(
                    "This is not a valid address; write https://example.com/path.");
        }
        return template;
    }

    private static boolean isAddress(String text) {
        try {
            URI uri = URI.create(text);
            return uri.getHost() != null
                    && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String method(String text) {
        String method = text.toUpperCase(Locale.ROOT);
        if (!method.equals("PUT") && !method.equals("POST")) {
            throw new IllegalArgumentException("'%s' is neither PUT nor POST.".formatted(text));
        }
        return method;
    }

    private static String headerName(Section headers, String name) {
        if (!AllowedValues.isHeaderName(name)) {
            headers.problem(name, "This is not a valid header name.");
        }
        return name;
    }

    private static ChannelTemplate headerValue(String text, Set<String> groups) {
        return ChannelTemplate.of(AllowedValues.headerValue(text), groups);
    }

    /** Twelve digits that nobody else has by chance. */
    private static String id(String... words) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(String.join("\0", words).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    Webhook of(Matcher channel) {
        return new Webhook(
                id,
                URI.create(url.filled(channel)),
                method,
                headers.entrySet().stream()
                        .map(each -> new Header(each.getKey(), each.getValue().filled(channel)))
                        .toList(),
                timeout,
                maxRedirects,
                retry,
                maxConnections,
                maxIdleTime);
    }
}
