package dev.millrace.hub.http;

import dev.millrace.hub.access.Caller;

import io.vertx.core.http.HttpServerRequest;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request as a handler sees it: whole, decoded, and let in. */
public final class Request {
    private final String id;
    private final RouteTable.Match.Found match;
    private final String path;
    private final HttpServerRequest raw;
    private final InetAddress neighbour;
    private final InetAddress peer;
    private final Caller caller;
    private final byte[] body;
    private @Nullable Map<String, List<String>> query;

    public Request(
            String id,
            RouteTable.Match.Found match,
            String path,
            HttpServerRequest raw,
            InetAddress neighbour,
            InetAddress peer,
            Caller caller,
            byte[] body) {
        this.id = id;
        this.match = match;
        this.path = path;
        this.raw = raw;
        this.neighbour = neighbour;
        this.peer = peer;
        this.caller = caller;
        this.body = body;
    }

    /** Under which the log knows it. */
    public String id() {
        return id;
    }

    /** Decoded. */
    public String path() {
        return path;
    }

    /** A variable of the route's path. */
    public String variable(String name) {
        int index = match.entry().variables().indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "%s has no variable %s.".formatted(match.entry().route().name(), name));
        }
        return match.values()[index];
    }

    /** Those of the route's path, by name. */
    Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        List<String> names = match.entry().variables();
        for (int i = 0; i < names.size(); i++) {
            variables.put(names.get(i), match.values()[i]);
        }
        return variables;
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(raw.getHeader(name));
    }

    /** All headers of this name, in their order. */
    public List<String> headers(String name) {
        return raw.headers().getAll(name);
    }

    /** The first value of a parameter; empty text if it is there without one. */
    public Optional<String> query(String name) {
        return Optional.ofNullable(query().get(name)).map(List::getFirst);
    }

    public List<String> queryAll(String name) {
        return query().getOrDefault(name, List.of());
    }

    private Map<String, List<String>> query() {
        Map<String, List<String>> parsed = query;
        if (parsed == null) {
            parsed = new LinkedHashMap<>();
            QueryText.parse(raw.query(), parsed);
            query = parsed;
        }
        return parsed;
    }

    /** A parameter that is a whole number within these bounds. */
    public int number(String name, int standard, int least, int most) {
        Optional<String> text = query(name);
        if (text.isEmpty()) {
            return standard;
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw Problem.of(
                Code.BAD_PARAMETER,
                "%s must be a whole number from %d to %d.".formatted(name, least, most));
    }

    public byte[] body() {
        return body;
    }

    /** The body as JSON; what it cannot be is the caller's mistake, and told to him. */
    public <T> T json(Class<T> type) {
        return Json.read(body, type);
    }

    /** The address of the caller, behind the proxies that are trusted. */
    public InetAddress peer() {
        return peer;
    }

    /** The address at the other end of the connection: of the caller, or of the last proxy. */
    public InetAddress neighbour() {
        return neighbour;
    }

    /** The token it came with, for routes that look by themselves. */
    public Optional<String> token() {
        return Bearer.of(raw);
    }

    public Caller caller() {
        return caller;
    }
}
