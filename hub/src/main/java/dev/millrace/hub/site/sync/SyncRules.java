package dev.millrace.hub.site.sync;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.RedisException;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What a pattern may say, and which keys it may touch. */
final class SyncRules {
    static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final Pattern KEY = Pattern.compile("[^\\s\\p{Cntrl}]{1,512}");
    private static final Set<String> TYPES = Set.of("hash", "string");
    private static final Set<String> TRANSFORMS = Set.of("direct", "numeric", "json_extract");

    /** Secrets, and what the hub keeps for itself. */
    private static final List<String> NEVER_READ =
            List.of("millrace:", "temp:session:", "jwt.", "login:");

    private static final List<String> OTHER_NAMES =
            List.of("channel", "point_id", "model_id", "timestamp");

    private SyncRules() {}

    static Optional<Refused> mistake(SyncPattern pattern) {
        return sentence(pattern).map(each -> Refused.of(EmsCode.VALIDATION_ERROR, each));
    }

    private static Optional<String> sentence(SyncPattern pattern) {
        JsonNode document = pattern.document();
        if (!ID.matcher(pattern.id()).matches()) {
            return Optional.of(
                    "An id has 1 to 128 letters, digits and _ . -, beginning with a letter or"
                            + " digit.");
        }
        for (String side : List.of("source", "target")) {
            String key = document.path(side).path("pattern").asString("");
            if (!KEY.matcher(key).matches()) {
                return Optional.of(side + ".pattern must be a key of 1 to 512 characters.");
            }
            JsonNode type = document.path(side).path("type");
            if (!type.isMissingNode() && !TYPES.contains(type.asString(""))) {
                return Optional.of(side + ".type must be hash or string.");
            }
        }
        JsonNode enabled = document.path("enabled");
        if (!enabled.isMissingNode() && !enabled.isBoolean()) {
            return Optional.of("enabled must be true or false.");
        }
        Wildcard source = new Wildcard(pattern.source());
        if (source.head().isEmpty()) {
            return Optional.of("source.pattern must not begin with *.");
        }
        if (NEVER_READ.stream().anyMatch(each -> overlaps(each, source.head()))) {
            return Optional.of("source.pattern names keys that are nobody's business.");
        }
        if (pattern.target().contains("*")) {
            return Optional.of("target.pattern must name $1, $2 … instead of *.");
        }
        for (String name : Wildcard.references(pattern.target())) {
            boolean number = name.matches("[1-9][0-9]?");
            if (number ? Integer.parseInt(name) > source.stars() : !OTHER_NAMES.contains(name)) {
                return Optional.of("target.pattern names $%s, which nothing is.".formatted(name));
            }
        }
        if (source.captured(pattern.target().replaceAll("\\$\\{?[A-Za-z0-9_]+}?", "x"))
                .isPresent()) {
            return Optional.of("A pattern must not write what it reads.");
        }
        JsonNode transform = document.path("transform").path("type");
        if (!transform.isMissingNode() && !TRANSFORMS.contains(transform.asString(""))) {
            return Optional.of("transform.type must be direct, numeric or json_extract.");
        }
        for (String number : List.of("scale", "offset")) {
            JsonNode value = document.path("transform").path(number);
            if (!value.isMissingNode()
                    && !(value.isNumber() && Double.isFinite(value.doubleValue()))) {
                return Optional.of("transform." + number + " must be a number.");
            }
        }
        if (document.path("reverse_mapping").path("enabled").asBoolean(false)) {
            return Optional.of(
                    "reverse_mapping cannot be enabled; make a second pattern for the way back.");
        }
        for (Map.Entry<String, JsonNode> each : document.path("field_mapping").properties()) {
            if (!each.getValue().isString() || each.getValue().asString().isEmpty()) {
                return Optional.of("field_mapping must give a text for each field.");
            }
        }
        return Optional.empty();
    }

    private static boolean overlaps(String one, String other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    /** Whether a key belongs to no room, so that a pattern may make it. */
    static boolean isFree(Keyspace keyspace, String key) {
        try {
            return key.contains(":")
                    && !key.startsWith("millrace:")
                    && !key.startsWith("{")
                    && KEY.matcher(key).matches()
                    && keyspace.catalogue().spotsOf(key).stream()
                            .allMatch(each -> each.pattern().head().isEmpty());
        } catch (RedisException e) {
            return false;
        }
    }
}
