package dev.millrace.hub.telemetry.channels;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.telemetry.bus.Operations;
import dev.millrace.hub.telemetry.bus.Operations.Operation;
import dev.millrace.hub.telemetry.bus.Spoken;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Configurations of channels over HTTP, where they are changed. */
public final class ChannelsApi {
    private static final String KIND = "channel";

    private final Channels channels;
    private final ChannelBook book;
    private final Operations operations;
    private final Spoken spoken;
    private final Runnable wake;

    /**
     * @param spoken whether a hub talks to the device of a channel
     * @param wake for those who do
     */
    public ChannelsApi(
            Channels channels,
            ChannelBook book,
            Operations operations,
            Spoken spoken,
            Runnable wake) {
        this.channels = channels;
        this.book = book;
        this.operations = operations;
        this.spoken = spoken;
        this.wake = wake;
    }

    public void addTo(EmsRoutes routes) {
        routes.post("/api/channels", changing("Configures a new channel."), this::create)
                .put(
                        "/api/channels/{channel_id}",
                        changing("Changes the configuration of a channel; If-Match: its version."),
                        this::replace)
                .delete(
                        "/api/channels/{channel_id}",
                        route ->
                                changing("Removes a channel with all its values.")
                                        .apply(route)
                                        .parameter("force", "true: also while others refer to it"),
                        this::delete)
                .put(
                        "/api/channels/{channel_id}/enabled",
                        changing("Enables or disables a channel; its values stay."),
                        this::enable)
                .post(
                        "/api/channels/{channel_id}/points/batch",
                        changing("Creates, updates and deletes definitions of points, or none."),
                        this::points)
                .post(
                        "/api/channels/{channel_id}/control",
                        route ->
                                route.needs(Role.OPERATOR, TelemetryLayouts.ROOM)
                                        .about(
                                                "Starts, stops or restarts the polling of a"
                                                        + " channel; it stays stopped until it is"
                                                        + " started."),
                        this::control)
                .post(
                        "/api/channels/reload",
                        changing("Reads all configurations again, as others have written them."),
                        this::reload);
    }

    private static UnaryOperator<Route.Draft> changing(String about) {
        return route -> route.needs(Role.ENGINEER, TelemetryLayouts.ROOM).about(about);
    }

    private EmsAnswer create(EmsRequest request) {
        ObjectNode document = request.object();
        JsonNode id = document.path("id");
        int channel = id.isMissingNode() || id.isNull() ? channels.free() : number(id);
        ObjectNode stored = done(channels.create(channel, document, request.caller().name()));
        request.changed(KIND, Integer.toString(channel), null, stored);
        return EmsAnswer.created("/api/channels/" + channel, stored);
    }

    private static int number(JsonNode id) {
        int channel = PointIds.channel(id.asString(""));
        if (channel == 0) {
            throw invalid("id must be a number from 1 to %d.".formatted(PointIds.LARGEST_CHANNEL));
        }
        return channel;
    }

    private EmsAnswer replace(EmsRequest request) {
        int channel = ChannelPath.channel(request);
        ObjectNode document = request.object();
        JsonNode id = document.path("id");
        if (!id.isMissingNode() && number(id) != channel) {
            throw invalid("The id in the body is not the one in the path.");
        }
        return changed(request, old -> new Channels.Change.To(document));
    }

    private static OptionalLong version(EmsRequest request) {
        String text = request.header("If-Match").orElse("").replace("\"", "").strip();
        if (text.isEmpty() || text.equals("*")) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "If-Match must be a version, a number.")
                    .exception();
        }
    }

    private EmsAnswer delete(EmsRequest request) {
        int channel = ChannelPath.channel(request);
        ObjectNode gone =
                done(
                        channels.delete(
                                channel,
                                request.flag("force").orElse(false),
                                request.caller().name()));
        request.changed(KIND, Integer.toString(channel), gone, null);
        return EmsAnswer.ok(Map.of("id", channel, "deleted", true));
    }

    private EmsAnswer enable(EmsRequest request) {
        JsonNode enabled = request.object().path("enabled");
        if (!enabled.isBoolean()) {
            throw invalid("enabled must be true or false.");
        }
        return changed(
                request,
                document -> {
                    document.put("enabled", enabled.booleanValue());
                    return new Channels.Change.To(document);
                });
    }

    private EmsAnswer changed(EmsRequest request, Function<ObjectNode, Channels.Change> change) {
        int channel = ChannelPath.channel(request);
        ObjectNode[] before = new ObjectNode[1];
        ObjectNode after =
                done(
                        channels.change(
                                channel,
                                version(request),
                                request.caller().name(),
                                document -> {
                                    before[0] = document.deepCopy();
                                    return change.apply(document);
                                }));
        request.changed(KIND, Integer.toString(channel), before[0], after);
        return EmsAnswer.ok(after);
    }

    private EmsAnswer points(EmsRequest request) {
        ObjectNode wishes = request.object();
        return changed(request, document -> PointChanges.of(document, wishes));
    }

    private EmsAnswer control(EmsRequest request) {
        int id = ChannelPath.channel(request);
        String word = request.object().path("operation").asString("");
        Operation operation =
                Operation.of(word)
                        .orElseThrow(
                                () ->
                                        Refused.of(
                                                        EmsCode.INVALID_PARAMETER,
                                                        "operation must be start, stop or"
                                                                + " restart.")
                                                .exception());
        ChannelConfiguration channel =
                channels.get(id)
                        .orElseThrow(
                                () ->
                                        Refused.of(
                                                        EmsCode.CHANNEL_NOT_FOUND,
                                                        "Channel %d is not configured."
                                                                .formatted(id))
                                                .exception());
        if (!spoken.isPolled(channel)) {
            throw state(
                    "No hub polls channel %d: its protocol %s is somebody else's, or none of its"
                            + " points has a mapping.",
                    channel);
        }
        if (!channel.enabled() && operation != Operation.STOP) {
            throw state("Channel %d is disabled; enable it first. Its protocol is %s.", channel);
        }
        Operations.Wish before = operations.of(id);
        Operations.Wish wish = operations.want(id, operation);
        wake.run();
        request.changed(
                "channel_operation",
                Integer.toString(id),
                Map.of("running", !before.stopped(), "turn", before.turn()),
                Map.of("running", !wish.stopped(), "turn", wish.turn()));
        return EmsAnswer.ok(
                Map.of(
                        "id", id,
                        "operation", word,
                        "running", channel.enabled() && !wish.stopped()));
    }

    private static RefusedException state(String sentence, ChannelConfiguration channel) {
        return Refused.of(
                        EmsCode.INVALID_STATE, sentence.formatted(channel.id(), channel.protocol()))
                .exception();
    }

    private EmsAnswer reload(EmsRequest request) {
        book.reload();
        return EmsAnswer.ok(Map.of("channels", book.size()));
    }

    private static ObjectNode done(Channels.Changed changed) {
        return switch (changed) {
            case Channels.Changed.Done done -> done.channel().document();
            case Channels.Changed.Not(Refused why) -> throw why.exception();
        };
    }

    private static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.VALIDATION_ERROR, sentence).exception();
    }
}
