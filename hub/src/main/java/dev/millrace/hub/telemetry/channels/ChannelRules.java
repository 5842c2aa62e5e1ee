package dev.millrace.hub.telemetry.channels;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.telemetry.bus.Spoken;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.Definitions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/** What a configuration must be before it is stored; the old one stays where the new one is not. */
final class ChannelRules {
    private ChannelRules() {}

    /** What is wrong with it, beside all others. */
    static Optional<Refused> mistake(
            ChannelConfiguration channel, List<ChannelConfiguration> all, Spoken spoken) {
        return mistake(channel)
                .or(() -> spoken.mistake(channel))
                .or(() -> sharing(channel, all))
                .map(each -> Refused.of(EmsCode.VALIDATION_ERROR, each));
    }

    /** What is wrong with it by itself. */
    static Optional<String> mistake(ChannelConfiguration channel) {
        return sentence(channel.document())
                .or(() -> Definitions.mistake(channel.document().path("points")));
    }

    private static Optional<String> sentence(ObjectNode document) {
        JsonNode protocol = document.path("protocol");
        if (!protocol.isString() || protocol.stringValue().isBlank()) {
            return Optional.of("protocol must be a text that is not empty.");
        }
        for (String member : List.of("name", "description")) {
            JsonNode text = document.path(member);
            if (!text.isMissingNode() && !text.isNull() && !text.isString()) {
                return Optional.of(member + " must be a text.");
            }
        }
        JsonNode enabled = document.path("enabled");
        if (!enabled.isMissingNode() && !enabled.isBoolean()) {
            return Optional.of("enabled must be true or false.");
        }
        JsonNode parameters = document.path("parameters");
        if (!parameters.isMissingNode() && !parameters.isNull() && !parameters.isObject()) {
            return Optional.of("parameters must be an object.");
        }
        JsonNode polling = parameters.path("polling_interval_ms");
        if (!polling.isMissingNode() && !(polling.isIntegralNumber() && polling.asLong(0) > 0)) {
            return Optional.of("parameters.polling_interval_ms must be a whole number above 0.");
        }
        JsonNode silent = parameters.path("offline_after");
        if (!silent.isMissingNode() && !(silent.isNumber() && silent.doubleValue() > 0)) {
            return Optional.of("parameters.offline_after must be a number of seconds above 0.");
        }
        return Optional.empty();
    }

    /** Two channels that talk to the same device would take its answers from each other. */
    private static Optional<String> sharing(
            ChannelConfiguration channel, List<ChannelConfiguration> all) {
        JsonNode mine = channel.document().path("parameters");
        if (mine.path("host").isMissingNode() || mine.path("port").isMissingNode()) {
            return Optional.empty();
        }
        return all.stream()
                .filter(each -> each.id() != channel.id())
                .filter(each -> each.protocol().equals(channel.protocol()))
                .filter(each -> same(mine, each.document().path("parameters")))
                .findFirst()
                .map(
                        each ->
                                "Channel %d has the same protocol, host, port and slave already."
                                        .formatted(each.id()));
    }

    private static boolean same(JsonNode one, JsonNode other) {
        return List.of("host", "port", "slave_id").stream()
                .allMatch(member -> one.path(member).equals(other.path(member)));
    }
}
