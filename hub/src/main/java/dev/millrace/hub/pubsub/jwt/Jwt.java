package dev.millrace.hub.pubsub.jwt;

import dev.millrace.hub.http.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.util.Base64;
import java.util.Optional;

/**
 * A signed token, taken apart. Nothing in it is to be believed before its signature was looked at
 * ({@link JwtKeys}).
 */
public record Jwt(String text, JsonNode header, JsonNode claims) {
    private static final Base64.Decoder BASE64 = Base64.getUrlDecoder();

    /** Takes a text apart; empty if it is no such token. */
    public static Optional<Jwt> parse(String text) {
        int first = text.indexOf('.');
        int second = text.indexOf('.', first + 1);
        if (first < 1 || second < 0 || text.indexOf('.', second + 1) >= 0) {
            return Optional.empty();
        }
        try {
            JsonNode header = Json.MAPPER.readTree(BASE64.decode(text.substring(0, first)));
            JsonNode claims =
                    Json.MAPPER.readTree(BASE64.decode(text.substring(first + 1, second)));
            return header.isObject() && claims.isObject()
                    ? Optional.of(new Jwt(text, header, claims))
                    : Optional.empty();
        } catch (JacksonException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** How it says that it is signed. */
    Optional<String> algorithm() {
        JsonNode algorithm = header.path("alg");
        return algorithm.isString() ? Optional.of(algorithm.asString()) : Optional.empty();
    }

    /** Whether it has demands that we do not know, and whoever does not know them must refuse. */
    boolean demandsMore() {
        return header.has("crit");
    }

    /** What the signature is about. */
    String signed() {
        return text.substring(0, text.lastIndexOf('.'));
    }

    String signature() {
        return text.substring(text.lastIndexOf('.') + 1);
    }

    /** The id by which it can be revoked. */
    public Optional<String> id() {
        JsonNode id = claims.path("jti");
        return id.isString() && !id.asString().isEmpty()
                ? Optional.of(id.asString())
                : Optional.empty();
    }

    /** Whether it has an id that nobody could revoke it by. */
    boolean hasOddId() {
        JsonNode id = claims.path("jti");
        return !id.isMissingNode() && !id.isNull() && !id.isString();
    }
}
