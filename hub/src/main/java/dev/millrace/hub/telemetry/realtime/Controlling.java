package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.commands.Command;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.telemetry.commands.Order;
import dev.millrace.hub.telemetry.commands.Submitted;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Orders of live clients. Each is answered twice: when it is accepted, and when it has ended, of
 * which the feed of commands tells. Who has left is not told; the command goes on. Thread-safe.
 */
final class Controlling implements AutoCloseable {
    static final Door DOOR = Door.of(Role.OPERATOR, Realtime.ROOM);

    private final Commands commands;
    private final InstantSource clock;
    private final Reading reading;

    /** Who waits for the end of a command, by its id. */
    private final Map<String, List<Waiting>> waiting = new ConcurrentHashMap<>();

    /**
     * Somebody who waits.
     *
     * @param channel of the command
     */
    private record Waiting(RealtimeClient client, @Nullable String requestId, int channel) {}

    Controlling(Commands commands, Feed feed, InstantSource clock) {
        this.commands = commands;
        this.clock = clock;
        this.reading =
                new Reading(
                        feed,
                        () -> !waiting.isEmpty(),
                        new Reading.Hearer() {
                            @Override
                            public void heard(Changes.Facts facts) {
                                facts.facts().forEach(Controlling.this::hear);
                            }

                            @Override
                            public void lost(String why) {
                                List.copyOf(waiting.keySet()).forEach(Controlling.this::look);
                            }
                        });
    }

    /** Gives an order; may wait for Redis. Gives what is then done on the event loop. */
    Runnable order(Said.Control said, RealtimeClient client, Actor by) {
        int channel = Said.channel(said.order().path("channel_id"));
        if (channel == 0) {
            return () ->
                    client.refuse(
                            "CHANNEL_NOT_FOUND",
                            "A channel is a number from 1 to 65535.",
                            said.id());
        }
        Submitted submitted;
        try {
            Order order = Order.read(channel, said.order(), by, clock).from("ws:" + client.id());
            reading.begin();
            submitted = commands.submit(order);
        } catch (RefusedException e) {
            return () -> client.refuse(e.why().code().name(), e.why().message(), said.id());
        }
        return switch (submitted) {
            case Submitted.Accepted(Command command) -> accepted(said, client, command);
            case Submitted.Before(Command command) -> accepted(said, client, command);
            case Submitted.Not(var why) ->
                    () -> client.refuse(why.code().name(), why.message(), said.id());
        };
    }

    private Runnable accepted(Said.Control said, RealtimeClient client, Command command) {
        Waiting who = new Waiting(client, said.id(), command.channel());
        Map<String, Object> first = view(who, command);
        client.crowd().put(() -> client.attempt(() -> client.tell("control_ack", first)));
        if (!command.ended()) {
            waiting.compute(
                    command.id(),
                    (id, others) -> {
                        List<Waiting> all = others == null ? new ArrayList<>() : others;
                        all.add(who);
                        return all;
                    });
            // It may have ended before anybody waited for that.
            look(command.id());
        }
        return () -> {};
    }

    private void hear(Fact fact) {
        try {
            JsonNode step = Json.MAPPER.readTree(fact.body());
            String id = step.path("cmd_id").asString("");
            if (waiting.containsKey(id)) {
                look(id);
            }
        } catch (JacksonException e) {
            // Not a step of a command.
        }
    }

    /** Tells those who wait, if it has ended. */
    private void look(String id) {
        List<Waiting> known = waiting.get(id);
        if (known == null || known.isEmpty()) {
            return;
        }
        Optional<Command> command = commands.find(known.getFirst().channel, id);
        if (command.isPresent() && !command.get().ended()) {
            return;
        }
        List<Waiting> all = waiting.remove(id);
        if (all != null && command.isPresent()) {
            for (Waiting each : all) {
                Map<String, Object> last = view(each, command.get());
                each.client
                        .crowd()
                        .put(
                                () ->
                                        each.client.attempt(
                                                () -> each.client.tell("control_ack", last)));
            }
        }
    }

    private static Map<String, Object> view(Waiting who, Command command) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("request_id", who.requestId);
        view.put("command_id", command.id());
        view.put("channel_id", command.channel());
        view.put("status", command.state().map(state -> state.word()).orElse(""));
        if (command.ended()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("success", command.error().isEmpty());
            result.put("actual_value", command.actualValue().map(Controlling::number).orElse(null));
            if (!command.error().isEmpty()) {
                result.put("error", command.error());
                result.put("message", command.result());
            }
            view.put("result", result);
        }
        return view;
    }

    private static Object number(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            return text;
        }
    }

    /** It has left: nobody is to be told. */
    void forget(RealtimeClient client) {
        waiting.keySet()
                .forEach(
                        id ->
                                waiting.computeIfPresent(
                                        id,
                                        (same, all) -> {
                                            all.removeIf(each -> each.client == client);
                                            return all.isEmpty() ? null : all;
                                        }));
    }

    @Override
    public void close() {
        reading.close();
    }
}
