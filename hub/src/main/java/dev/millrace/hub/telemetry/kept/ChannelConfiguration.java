package dev.millrace.hub.telemetry.kept;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a device channel is reached, and its points. The document is kept as it was written, with all
 * members that only its adapter understands; what the hub goes by is taken out of it here, and what
 * it cannot use counts as not said: others write these documents too. The document is not to be
 * changed.
 */
public final class ChannelConfiguration {
    private static final String ID = "id";
    private static final int POLLS = 3;
    private static final Duration SHORTEST = Duration.ofSeconds(5);

    private final int id;
    private final ObjectNode document;
    private final Map<PointType, Map<String, PointDefinition>> points;

    /** Of a document that stands at the key of this channel. */
    public ChannelConfiguration(int id, ObjectNode document) {
        this.id = id;
        this.document = document;
        this.points = new EnumMap<>(PointType.class);
        for (PointType type : PointType.values()) {
            Map<String, PointDefinition> ofType = new LinkedHashMap<>();
            for (JsonNode point : document.path("points").path(type.name())) {
                Definitions.read(point).ifPresent(each -> ofType.put(each.point(), each));
            }
            points.put(type, ofType);
        }
    }

    public int id() {
        return id;
    }

    public ObjectNode document() {
        return document;
    }

    /** What it is called; its number if it has no name. */
    public String name() {
        String name = document.path("name").asString("");
        return name.isEmpty() ? Integer.toString(id) : name;
    }

    /** As an index knows it; {@code unknown} if it is not said. */
    public String protocol() {
        return Protocols.normalised(document.path("protocol").asString(""));
    }

    /** Unless it says otherwise. */
    public boolean enabled() {
        JsonNode enabled = document.path("enabled");
        return !enabled.isBoolean() || enabled.booleanValue();
    }

    /** How often it was changed before, as the site counts; 0 if nobody has counted. */
    public long version() {
        return document.path("_version").asLong(0);
    }

    public Collection<PointDefinition> points(PointType type) {
        return points.getOrDefault(type, Map.of()).values();
    }

    /** Whether a value of this type may have to be compared with the one before it. */
    public boolean hasDeadbands(PointType type) {
        return points(type).stream().anyMatch(PointDefinition::hasDeadband);
    }

    public Optional<PointDefinition> point(PointType type, String point) {
        return Optional.ofNullable(points.getOrDefault(type, Map.of()).get(point));
    }

    /** Whether any point says where the device has it, so that there is something to talk about. */
    public boolean isMapped() {
        return points.values().stream()
                .flatMap(each -> each.values().stream())
                .anyMatch(PointDefinition::isMapped);
    }

    /** Those members that only its adapter understands. */
    public JsonNode parameters() {
        return document.path("parameters");
    }

    /** How long it may be silent, where it says how often it is polled, or says just that. */
    public Optional<Duration> offlineAfter() {
        JsonNode parameters = document.path("parameters");
        double said = parameters.path("offline_after").asDouble(0);
        if (said > 0) {
            return Optional.of(Duration.ofMillis((long) (said * 1000)));
        }
        long polling = parameters.path("polling_interval_ms").asLong(0);
        if (polling <= 0) {
            return Optional.empty();
        }
        Duration silent = Duration.ofMillis(polling).multipliedBy(POLLS);
        return Optional.of(silent.compareTo(SHORTEST) < 0 ? SHORTEST : silent);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChannelConfiguration its
                && id == its.id
                && document.equals(its.document);
    }

    @Override
    public int hashCode() {
        return 31 * id + document.hashCode();
    }

    @Override
    public String toString() {
        return ID + " " + id + " " + document;
    }
}
