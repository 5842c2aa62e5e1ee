package dev.millrace.hub.pubsub.jwt;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a token must be for one channel.
 *
 * @param issuers one of which it must come from
 * @param audiences one of which it must be for; none means that it does not matter
 * @param claims what else it must say; the values that will do for each
 * @param leeway how much the clocks may differ
 */
public record JwtRule(
        List<String> issuers,
        List<String> audiences,
        JwtKeys keys,
        Map<String, List<String>> claims,
        Duration leeway) {

    public JwtRule {
        issuers = List.copyOf(issuers);
        audiences = List.copyOf(audiences);
        claims = Map.copyOf(claims);
    }

    /** Why a token will not do, in some words; empty if it will. */
    public Optional<String> refusal(Jwt jwt, Instant now) {
        return keys.refusal(jwt)
                .or(() -> wrongTime(jwt.claims(), now))
                .or(() -> wrongParties(jwt.claims()))
                .or(() -> wrongClaim(jwt.claims()))
                .or(() -> jwt.hasOddId() ? Optional.of("its jti is not a text") : Optional.empty());
    }

    private Optional<String> wrongTime(JsonNode token, Instant now) {
        for (String name : List.of("exp", "nbf", "iat")) {
            if (token.has(name) && !token.path(name).isNumber()) {
                return Optional.of("its %s is not a number".formatted(name));
            }
        }
        double seconds = now.getEpochSecond() + now.getNano() / 1e9;
        double late = seconds - leeway.toNanos() / 1e9;
        double early = seconds + leeway.toNanos() / 1e9;
        if (token.has("exp") && late > token.path("exp").doubleValue()) {
            return Optional.of("it has expired");
        }
        if (token.has("nbf") && early < token.path("nbf").doubleValue()) {
            return Optional.of("it is not valid yet");
        }
        if (token.has("iat") && early < token.path("iat").doubleValue()) {
            return Optional.of("it was issued in the future");
        }
        return Optional.empty();
    }

    private Optional<String> wrongParties(JsonNode token) {
        JsonNode issuer = token.path("iss");
        if (!issuer.isString() || !issuers.contains(issuer.asString())) {
            return Optional.of("its iss is not accepted here");
        }
        return audiences.isEmpty()
                        || audience(token.path("aud")).stream().anyMatch(audiences::contains)
                ? Optional.empty()
                : Optional.of("its aud is not accepted here");
    }

    private static List<String> audience(JsonNode claim) {
        if (claim.isString()) {
            return List.of(claim.asString());
        }
        List<String> all = new ArrayList<>();
        if (claim.isArray()) {
            for (JsonNode each : claim) {
                if (!each.isString()) {
                    return List.of();
                }
                all.add(each.asString());
            }
        }
        return all;
    }

    private Optional<String> wrongClaim(JsonNode token) {
        for (Map.Entry<String, List<String>> claim : claims.entrySet()) {
            Optional<String> said = text(token.path(claim.getKey()));
            if (said.filter(claim.getValue()::contains).isEmpty()) {
                return Optional.of("its claim %s is not accepted here".formatted(claim.getKey()));
            }
        }
        return Optional.empty();
    }

    /** A claim as it is compared; empty for what cannot be. */
    static Optional<String> text(JsonNode claim) {
        if (claim.isString()) {
            return Optional.of(claim.asString());
        }
        if (claim.isBoolean()) {
            return Optional.of(Boolean.toString(claim.booleanValue()));
        }
        if (claim.isIntegralNumber()) {
            return Optional.of(claim.bigIntegerValue().toString());
        }
        if (claim.isNumber() && Double.isFinite(claim.doubleValue())) {
            return Optional.of(
                    new BigDecimal(Double.toString(claim.doubleValue()))
                            .stripTrailingZeros()
                            .toPlainString());
        }
        return Optional.empty();
    }
}
