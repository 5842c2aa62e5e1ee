package dev.millrace.hub.history;

import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.telemetry.realtime.Bygones;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.Supplier;

/** Questions about the past by WebSocket, which are answered as over HTTP. */
final class AskedLive implements Bygones {
    private static final Door DOOR = Door.of(Role.VIEWER, HistoryApi.ROOM);

    private final Supplier<@Nullable HistoryApi> api;

    AskedLive(Supplier<@Nullable HistoryApi> api) {
        this.api = api;
    }

    @Override
    public Door door() {
        return DOOR;
    }

    @Override
    public String answer(ObjectNode question) {
        HistoryApi known = api.get();
        if (known == null) {
            throw Refused.of(EmsCode.SERVICE_UNAVAILABLE, "The room of history is not open.")
                    .exception();
        }
        return known.one(question);
    }
}
