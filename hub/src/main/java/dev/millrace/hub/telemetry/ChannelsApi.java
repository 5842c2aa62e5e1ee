package dev.millrace.hub.telemetry;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.telemetry.kept.PointIds;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Configurations of channels over HTTP, where they are changed. */
final class ChannelsApi {
    private final Channels channels;
    private final ChannelBook book;

    ChannelsApi(Channels channels, ChannelBook book) {
        this.channels = channels;
        this.book = book;
    }

    void addTo(EmsRoutes routes) {
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
                        "/api/channels/reload",
                        changing("Reads all configurations again, as others have written them."),
                        this::reload);
    }

    private static UnaryOperator<Route.Draft> changing(String about) {
        return route -> route.needs(Role.ENGINEER, Telemetry.ROOM).about(about);
    }

    private EmsAnswer create(EmsRequest request) {
        ObjectNode document = request.object();
        JsonNode id = document.path("id");
        int channel = id.isMissingNode() || id.isNull() ? channels.free() : number(id);
        ObjectNode stored = done(channels.create(channel, document));
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
        int channel = ValuesApi.channel(request);
        ObjectNode document = request.object();
        JsonNode id = document.path("id");
        if (!id.isMissingNode() && number(id) != channel) {
            throw invalid("The id in the body is not the one in the path.");
        }
        return EmsAnswer.ok(
                done(
                        channels.change(
                                channel,
                                version(request),
                                old -> new Channels.Change.To(document))));
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
        int channel = ValuesApi.channel(request);
        done(channels.delete(channel, request.flag("force").orElse(false)));
        return EmsAnswer.ok(Map.of("id", channel, "deleted", true));
    }

    private EmsAnswer enable(EmsRequest request) {
        JsonNode enabled = request.object().path("enabled");
        if (!enabled.isBoolean()) {
            throw invalid("enabled must be true or false.");
        }
        return EmsAnswer.ok(
                done(
                        channels.change(
                                ValuesApi.channel(request),
                                version(request),
                                document -> {
                                    document.put("enabled", enabled.booleanValue());
                                    return new Channels.Change.To(document);
                                })));
    }

    private EmsAnswer points(EmsRequest request) {
        ObjectNode wishes = request.object();
        return EmsAnswer.ok(
                done(
                        channels.change(
                                ValuesApi.channel(request),
                                version(request),
                                document -> PointChanges.of(document, wishes))));
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
