package dev.millrace.hub.notifications.delivery;

import java.util.Map;

/** A status of HTTP with its name, which the client below does not tell. */
final class StatusLine {
    private static final Map<Integer, String> NAMES =
            Map.ofEntries(
                    Map.entry(200, "OK"),
                    Map.entry(201, "Created"),
                    Map.entry(202, "Accepted"),
                    Map.entry(204, "No Content"),
                    Map.entry(301, "Moved Permanently"),
                    Map.entry(302, "Found"),
                    Map.entry(303, "See Other"),
                    Map.entry(304, "Not Modified"),
                    Map.entry(307, "Temporary Redirect"),
                    Map.entry(308, "Permanent Redirect"),
                    Map.entry(400, "Bad Request"),
                    Map.entry(401, "Unauthorized"),
                    Map.entry(403, "Forbidden"),
                    Map.entry(404, "Not Found"),
                    Map.entry(405, "Method Not Allowed"),
                    Map.entry(408, "Request Timeout"),
                    Map.entry(409, "Conflict"),
                    Map.entry(410, "Gone"),
                    Map.entry(413, "Content Too Large"),
                    Map.entry(415, "Unsupported Media Type"),
                    Map.entry(429, "Too Many Requests"),
                    Map.entry(500, "Internal Server Error"),
                    Map.entry(501, "Not Implemented"),
                    Map.entry(502, "Bad Gateway"),
                    Map.entry(503, "Service Unavailable"),
                    Map.entry(504, "Gateway Timeout"));

    private StatusLine() {}

    static String of(int status) {
        String name = NAMES.get(status);
        return name == null ? Integer.toString(status) : status + " " + name;
    }
}
