package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;

import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.cbor.CBORMapper;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/** Well-formed requests to every route of the table, with hostile values in every place. */
final class HttpShots {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    private static final CBORMapper CBOR = new CBORMapper();

    private final Target target;
    private final Dice dice;

    /**
     * A request.
     *
     * @param label of its route
     * @param bodiless whether its answer has no body
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and nobody changes them.
    record Shot(byte[] bytes, String label, boolean bodiless) {}

    HttpShots(Target target, Dice dice) {
        this.target = target;
        this.dice = dice;
    }

    Shot next() {
        return to(dice.of(target.routes));
    }

    Shot to(Route route) {
        String method =
                dice.percent(94)
                        ? route.method().name()
                        : dice.of(
                                "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
                                "BREW", "get");
        String path = path(route) + query(route);
        List<String> lines = new ArrayList<>();
        lines.add("%s %s HTTP/1.1".formatted(method, path));
        lines.add("Host: " + host());
        String token = path.startsWith("/admin") ? Target.ADMIN_BEARER : target.token(dice);
        if (!token.isEmpty()) {
            lines.add(
                    "Authorization: "
                            + (dice.percent(97) ? "Bearer " : dice.of("Basic ", "bearer", ""))
                            + token);
        }
        for (int i = dice.below(3); i > 0; i--) {
            lines.add(dice.of(Hostile.HEADERS));
        }
        byte[] body =
                WITH_BODY.contains(method) || dice.percent(4) ? body(route, lines) : new byte[0];
        byte[] framed = framed(body, lines);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes((String.join("\r\n", lines) + "\r\n\r\n").getBytes(ISO_8859_1));
        all.writeBytes(framed);
        return new Shot(all.toByteArray(), method + " " + route.path(), method.equals("HEAD"));
    }

    private String host() {
        return dice.percent(96)
                ? "127.0.0.1:" + target.http.getPort()
                : dice.of(
                        "localhost",
                        "evil.invalid",
                        "[::1]:80",
                        "",
                        "127.0.0.1:99999",
                        "a b",
                        "\u00e4");
    }

    // ---------------------------------------------------------------- where

    private String path(Route route) {
        StringBuilder path = new StringBuilder();
        for (String segment : route.path().substring(1).split("/", -1)) {
            path.append('/');
            if (segment.startsWith("{")) {
                String name = segment.substring(1, segment.length() - 1).split(":", 2)[0];
                path.append(dice.percent(60) ? Samples.tame(name, dice) : dice.of(Hostile.IN_URLS));
            } else {
                path.append(dice.percent(99) ? segment : dice.of(Hostile.IN_URLS));
            }
        }
        return path.toString();
    }

    private String query(Route route) {
        List<String> pairs = new ArrayList<>();
        for (String name : target.parameters(route)) {
            if (dice.percent(60)) {
                pairs.add(pair(name));
            }
            if (dice.percent(5)) {
                pairs.add(pair(name));
            }
        }
        if (dice.percent(8)) {
            pairs.add(
                    dice.of(
                            "x=1",
                            "=",
                            "&&",
                            "limit",
                            "a=b=c",
                            "%ff=%ff",
                            "x".repeat(500) + "=1",
                            "%00=1"));
        }
        return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
    }

    private String pair(String name) {
        return name
                + "="
                + (dice.percent(60) ? Samples.tame(name, dice) : dice.of(Hostile.IN_URLS));
    }

    // ---------------------------------------------------------------- what

    private byte[] body(Route route, List<String> lines) {
        String sample = Samples.of(route.path(), dice);
        JsonMutants mutants = new JsonMutants(dice);
        byte[] body = mutants.of(sample);
        String type = dice.percent(85) ? "application/json" : dice.of(Hostile.CONTENT_TYPES);
        if (route.path().endsWith("/events") || route.path().endsWith("/import")) {
            body = lines(route, mutants);
            type = "application/x-ndjson";
        } else if (route.path().startsWith("/api/v1/event") && dice.percent(25)) {
            body = cbor(body);
            type = "application/cbor";
        }
        if (route.path().equals("/ops/fsck")) {
            // A check that mends things would hide what was broken.
            body = new String(body, ISO_8859_1).replace("true", "null").getBytes(ISO_8859_1);
        }
        lines.add("Content-Type: " + type);
        if (dice.percent(8)) {
            lines.add(
                    "Content-Encoding: "
                            + (dice.percent(90)
                                    ? "gzip"
                                    : dice.of("deflate", "br", "gzip, gzip", "x", "identity")));
            body = zipped(body);
        }
        return body;
    }

    private byte[] lines(Route route, JsonMutants mutants) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        boolean array = dice.percent(40);
        all.writeBytes((array ? "[" : "").getBytes(UTF_8));
        for (int i = dice.from(1, 6); i > 0; i--) {
            all.writeBytes(
                    dice.percent(70)
                            ? Samples.of(route.path(), dice).getBytes(UTF_8)
                            : mutants.of(Samples.of(route.path(), dice)));
            all.writeBytes(
                    (array
                                    ? i > 1 ? "," : dice.of("]", "]", "]", "", "]]", ",]")
                                    : dice.of("\n", "\n", "\r\n", "\n\n", "\0"))
                            .getBytes(UTF_8));
        }
        return all.toByteArray();
    }

    private byte[] cbor(byte[] json) {
        byte[] written;
        try {
            written = CBOR.writeValueAsBytes(Json.MAPPER.readTree(json));
        } catch (JacksonException e) {
            written = dice.bytes(dice.below(100));
        }
        return switch (dice.below(4)) {
            case 0 -> dice.flipped(written);
            case 1 -> dice.cut(written);
            default -> written;
        };
    }

    private byte[] zipped(byte[] body) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return switch (dice.below(5)) {
            case 0 -> dice.cut(zipped.toByteArray());
            case 1 -> dice.flipped(zipped.toByteArray());
            case 2 -> body;
            default -> zipped.toByteArray();
        };
    }

    private byte[] framed(byte[] body, List<String> lines) {
        if (body.length == 0 && dice.percent(90)) {
            return body;
        }
        if (dice.percent(90)) {
            lines.add("Content-Length: " + body.length);
            return body;
        }
        lines.add("Transfer-Encoding: chunked");
        ByteArrayOutputStream chunks = new ByteArrayOutputStream();
        int at = 0;
        while (at < body.length) {
            int size = Math.min(body.length - at, 1 + dice.below(Math.max(1, body.length)));
            chunks.writeBytes((Integer.toHexString(size) + "\r\n").getBytes(ISO_8859_1));
            chunks.write(body, at, size);
            chunks.writeBytes("\r\n".getBytes(ISO_8859_1));
            at += size;
        }
        chunks.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
        return chunks.toByteArray();
    }
}
