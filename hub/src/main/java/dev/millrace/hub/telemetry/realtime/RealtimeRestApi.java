package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The present values of whole channels by REST: what a client of {@code /ws} begins with. */
public final class RealtimeRestApi {
    private static final int MOST_CHANNELS = 100;

    private final StoredValues stored;

    public RealtimeRestApi(StoredValues stored) {
        this.stored = stored;
    }

    public void addTo(EmsRoutes routes) {
        routes.get(
                        "/api/v1/realtime/channels/{channel_id}",
                        route ->
                                reading("The present values of a channel.")
                                        .apply(route)
                                        .parameter("data_types", "T, S, or both: T,S"),
                        this::channel)
                .post(
                        "/api/v1/realtime/batch-query",
                        reading("The present values of several channels."),
                        this::batch)
                .get(
                        "/api/v1/realtime/snapshot",
                        route ->
                                reading("The present values of the channels of devices and areas.")
                                        .apply(route)
                                        .parameter("device_ids", "channels or devices, by commas")
                                        .parameter("area_ids", "areas, by commas")
                                        .parameter(
                                                "format",
                                                "json, a list of updates, or compact, an object of"
                                                        + " channels, types and points"),
                        this::snapshot);
    }

    private static UnaryOperator<Route.Draft> reading(String about) {
        return route -> route.needs(Role.VIEWER, Realtime.ROOM).about(about);
    }

    /** What is told of a point beside its value. */
    private record Wish(Set<PointType> types, boolean quality, boolean time) {}

    private EmsAnswer channel(EmsRequest request) {
        int channel = PointIds.channel(request.variable("channel_id"));
        if (channel == 0) {
            throw invalid(
                    "A channel is a number from 1 to %d.".formatted(PointIds.LARGEST_CHANNEL));
        }
        mustExist(channel);
        Set<PointType> types =
                request.query("data_types")
                        .map(text -> types(Arrays.asList(text.split(",", -1))))
                        .orElse(EnumSet.copyOf(LiveChannel.TYPES));
        return json(updates(List.of(channel), new Wish(types, true, true)));
    }

    private EmsAnswer batch(EmsRequest request) {
        ObjectNode body = request.object();
        JsonNode names = body.path("channels");
        if (!names.isArray() || names.isEmpty() || names.size() > MOST_CHANNELS) {
            throw Refused.of(
                            EmsCode.VALIDATION_ERROR,
                            "channels must be a list of 1 to %d channels.".formatted(MOST_CHANNELS))
                    .exception();
        }
        Set<Integer> channels = new LinkedHashSet<>();
        for (JsonNode each : names) {
            int channel = Said.channel(each);
            if (channel == 0) {
                throw Refused.of(
                                EmsCode.VALIDATION_ERROR,
                                "A channel is a number from 1 to %d, not %s."
                                        .formatted(PointIds.LARGEST_CHANNEL, each))
                        .exception();
            }
            mustExist(channel);
            channels.add(channel);
        }
        List<String> types = new ArrayList<>();
        body.path("data_types").forEach(each -> types.add(each.asString("")));
        Wish wish =
                new Wish(
                        body.has("data_types") ? types(types) : EnumSet.copyOf(LiveChannel.TYPES),
                        flag(body, "include_quality"),
                        flag(body, "include_timestamp"));
        return json(updates(channels, wish));
    }

    private EmsAnswer snapshot(EmsRequest request) {
        List<String> devices = list(request, "device_ids");
        List<String> areas = list(request, "area_ids");
        List<Integer> channels = stored.channelsOf(devices, areas);
        if (channels.size() > MOST_CHANNELS) {
            throw invalid(
                    "These are %d channels; one answer has at most %d."
                            .formatted(channels.size(), MOST_CHANNELS));
        }
        return switch (request.query("format").orElse("json")) {
            case "json" ->
                    json(
                            updates(
                                    channels,
                                    new Wish(EnumSet.copyOf(LiveChannel.TYPES), true, true)));
            case "compact" -> json(compact(channels));
            default -> throw invalid("format must be json or compact.");
        };
    }

    private String updates(Collection<Integer> channels, Wish wish) {
        List<String> updates = new ArrayList<>();
        int count = 0;
        for (int channel : channels) {
            for (PointType type : wish.types) {
                List<PointValue> values = sorted(channel, type);
                count += values.size();
                updates.add(Wording.update(channel, type, values, wish.quality, wish.time));
            }
        }
        return "{\"updates\":[%s],\"total_points\":%d}".formatted(String.join(",", updates), count);
    }

    private String compact(Collection<Integer> channels) {
        StringBuilder out = new StringBuilder("{\"channels\":{");
        String before = "";
        for (int channel : channels) {
            out.append(before).append('"').append(channel).append("\":{");
            before = ",";
            String comma = "";
            for (PointType type : LiveChannel.TYPES) {
                out.append(comma).append('"').append(type).append("\":{");
                comma = "";
                for (PointValue each : sorted(channel, type)) {
                    out.append(comma);
                    JsonText.append(out, each.point());
                    out.append(':').append(each.json());
                    comma = ",";
                }
                out.append('}');
                comma = ",";
            }
            out.append('}');
        }
        return out.append("}}").toString();
    }

    private List<PointValue> sorted(int channel, PointType type) {
        List<PointValue> values = new ArrayList<>(stored.all(channel, type));
        values.sort((one, other) -> PointValue.ORDER.compare(one.point(), other.point()));
        return values;
    }

    private void mustExist(int channel) {
        if (!stored.exists(channel)) {
            throw Refused.of(
                            EmsCode.CHANNEL_NOT_FOUND,
                            "Channel %d is not configured and has no values.".formatted(channel))
                    .exception();
        }
    }

    private static Set<PointType> types(List<String> letters) {
        Set<PointType> types = EnumSet.noneOf(PointType.class);
        for (String each : letters) {
            types.add(
                    PointType.of(each.strip())
                            .filter(PointType::isRead)
                            .orElseThrow(() -> invalid("data_types may be T and S.")));
        }
        if (types.isEmpty()) {
            throw invalid("data_types names at least one of T and S.");
        }
        return types;
    }

    private static boolean flag(ObjectNode body, String member) {
        JsonNode flag = body.path(member);
        if (flag.isMissingNode() || flag.isNull()) {
            return true;
        }
        if (!flag.isBoolean()) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, member + " must be true or false.")
                    .exception();
        }
        return flag.asBoolean();
    }

    private static List<String> list(EmsRequest request, String name) {
        return request.query(name)
                .map(text -> Arrays.stream(text.split(",", -1)).map(String::strip).toList())
                .orElse(List.of());
    }

    private static EmsAnswer json(String text) {
        return EmsAnswer.json(200, text.getBytes(StandardCharsets.UTF_8));
    }

    private static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.INVALID_PARAMETER, sentence).exception();
    }
}
