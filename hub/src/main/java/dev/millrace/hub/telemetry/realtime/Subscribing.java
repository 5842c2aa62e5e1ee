package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.kept.PointType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Begins and ends subscriptions of one client. What begins is put into the line of its crowd: first
 * the answer, then what there is, and behind that stand the changes. Waits for Redis, except {@link
 * #unsubscribe}.
 */
final class Subscribing {
    /** Who goes on asking for more than it may have is sent away. */
    private static final int MOST_REFUSED = 10;

    private static final String LIMIT = "SUBSCRIPTION_LIMIT";
    private static final String NO_CHANNEL = "CHANNEL_NOT_FOUND";

    private final Realtime realtime;
    private final RealtimeClient client;
    private int refused;

    Subscribing(Realtime realtime, RealtimeClient client) {
        this.realtime = realtime;
        this.client = client;
    }

    /**
     * What the client has, as it was when its message was read.
     *
     * @param logs the ids of each source
     */
    record Mine(Set<Integer> channels, Map<String, List<String>> logs, int count) {}

    /** On the event loop. */
    Mine mine() {
        Map<String, List<String>> logs = new LinkedHashMap<>();
        client.sources().forEach(source -> logs.put(source, client.logsOf(source)));
        return new Mine(Set.copyOf(client.channels()), logs, client.subscriptions());
    }

    /** What an answer says, while it is being put together. */
    private static final class Ack {
        private final @Nullable String requestId;
        private final List<JsonNode> subscribed = new ArrayList<>();
        private final List<Map<String, Object>> failed = new ArrayList<>();
        private final Map<String, Object> more = new LinkedHashMap<>();
        private final Map<String, String> codes = new LinkedHashMap<>();

        Ack(@Nullable String requestId) {
            this.requestId = requestId;
        }

        void fails(JsonNode name, String code, String sentence) {
            Map<String, Object> failure = new LinkedHashMap<>();
            failure.put("channel", name);
            failure.put("code", code);
            failure.put("message", sentence);
            failed.add(failure);
            codes.putIfAbsent(code, sentence);
        }

        Map<String, Object> view(int total) {
            Map<String, Object> view = new LinkedHashMap<>();
            view.put("request_id", requestId);
            view.put("subscribed", subscribed);
            view.put("failed", failed);
            view.put("total", total);
            view.putAll(more);
            return view;
        }
    }

    private void answer(Ack ack, int total) {
        client.tell("subscribe_ack", ack.view(total));
        ack.codes.forEach((code, sentence) -> client.refuse(code, sentence, ack.requestId));
        if (ack.codes.containsKey(LIMIT)) {
            refused++;
            if (refused > MOST_REFUSED) {
                client.close(Closing.TOO_MANY_SUBSCRIPTIONS, "Too many subscriptions.");
            }
        }
    }

    private String limit() {
        return "A client has at most %d subscriptions."
                .formatted(realtime.settings().maxSubscriptions());
    }

    /** An id as clients say it. */
    private static JsonNode name(String id) {
        return StringNode.valueOf(id.isEmpty() ? "*" : id);
    }

    private void put(Runnable step) {
        client.crowd().put(() -> client.attempt(step));
    }

    private static void nothing() {}

    // ------------------------------------------------------------------ points

    Runnable points(Said.SubscribePoints said, Mine mine) {
        return points(said.id(), said.channels(), mine);
    }

    Runnable group(Said.SubscribeGroup said, Mine mine) {
        List<Said.Wanted> wanted = new ArrayList<>();
        for (int each : realtime.stored().channelsOf(said.devices(), said.areas())) {
            wanted.add(new Said.Wanted(IntNode.valueOf(each), each, said.options().wish(true)));
        }
        return points(said.id(), wanted, mine);
    }

    private Runnable points(@Nullable String requestId, List<Said.Wanted> wanted, Mine mine) {
        Ack ack = new Ack(requestId);
        Map<Integer, Said.Wanted> accepted = new LinkedHashMap<>();
        int count = mine.count();
        for (Said.Wanted each : wanted) {
            if (each.channel() == 0) {
                ack.fails(each.name(), NO_CHANNEL, "A channel is a number from 1 to 65535.");
            } else if (mine.channels().contains(each.channel())
                    || accepted.containsKey(each.channel())) {
                accepted.put(each.channel(), each);
            } else if (count >= realtime.settings().maxSubscriptions()) {
                ack.fails(each.name(), LIMIT, limit());
            } else {
                count++;
                accepted.put(each.channel(), each);
            }
        }
        Map<Integer, LiveChannel> channels = realtime.watch().watch(accepted.keySet());
        Map<LiveChannel, Said.Wanted> begun = new LinkedHashMap<>();
        channels.forEach(
                (id, channel) -> {
                    Said.Wanted each = accepted.get(id);
                    if (each == null || !channel.loaded().join()) {
                        realtime.watch().letGo(channel);
                        if (each != null) {
                            ack.fails(
                                    each.name(),
                                    NO_CHANNEL,
                                    "Channel %d is not configured and has no values."
                                            .formatted(id));
                        }
                    } else {
                        ack.subscribed.add(each.name());
                        begun.put(channel, each);
                    }
                });
        Set<Integer> all = new HashSet<>(mine.channels());
        begun.keySet().forEach(each -> all.add(each.id()));
        int total = mine.count() - mine.channels().size() + all.size();
        put(() -> answer(ack, total));
        begun.forEach(
                (channel, each) ->
                        channel.beginAt(
                                each.wish().types(),
                                (version, updates) ->
                                        client.crowd()
                                                .put(
                                                        () ->
                                                                begin(
                                                                        channel, each, version,
                                                                        updates))));
        return Subscribing::nothing;
    }

    private void begin(
            LiveChannel channel, Said.Wanted wanted, long version, List<String> updates) {
        if (client.over()) {
            realtime.watch().letGo(channel);
            return;
        }
        client.attempt(
                () -> {
                    PointSubscription subscription =
                            new PointSubscription(client, channel, wanted.wish());
                    client.subscribe(subscription);
                    subscription.beginAt(version);
                    subscription.sayAll(updates);
                });
    }

    /** What there is, once. */
    Runnable data(Said.GetData said) {
        List<String> updates = new ArrayList<>();
        int count = 0;
        for (JsonNode each : said.channels()) {
            int channel = Said.channel(each);
            if (channel == 0 || !realtime.stored().exists(channel)) {
                String why = "Channel %s is not configured and has no values.".formatted(each);
                return () -> client.refuse(NO_CHANNEL, why, said.id());
            }
            for (PointType type : said.types()) {
                List<PointValue> values = new ArrayList<>(realtime.stored().all(channel, type));
                values.sort((one, other) -> PointValue.ORDER.compare(one.point(), other.point()));
                count += values.size();
                updates.add(Wording.update(channel, type, values));
            }
        }
        String text = realtime.wording().batch(updates, count, said.id());
        return () -> client.tell(text);
    }

    // ------------------------------------------------------------------ announcements

    Runnable log(Said.SubscribeLog said, LogTail tail, Mine mine) {
        Ack ack = new Ack(said.id());
        Announcements source = tail.source();
        List<LogSubscription> accepted = new ArrayList<>();
        List<String> ids =
                said.ids().isEmpty()
                        ? List.of("")
                        : said.ids().stream().map(each -> each.asString("")).distinct().toList();
        List<String> known = mine.logs().getOrDefault(source.source(), List.of());
        int count = mine.count();
        for (String id : ids) {
            boolean fresh = !known.contains(id);
            if (fresh && count >= realtime.settings().maxSubscriptions()) {
                ack.fails(name(id), LIMIT, limit());
                continue;
            }
            count += fresh ? 1 : 0;
            ack.subscribed.add(name(id));
            accepted.add(
                    new LogSubscription(
                            source.source(),
                            id,
                            said.filters(),
                            said.type().orElse(source.messageType())));
        }
        int total = count;
        Map<String, Long> since = new LinkedHashMap<>(said.since());
        Long number = since.remove("");
        if (number != null) {
            List<String> names = tail.names();
            if (tail.inCluster()) {
                return () ->
                        client.refuse(
                                "INVALID_PARAMETER",
                                "In a cluster since_seq is an object with one number for each list,"
                                        + " as messages name it in log.",
                                said.id());
            }
            names.forEach(each -> since.put(each, number));
        }
        if (accepted.isEmpty()) {
            return () -> answer(ack, total);
        }
        List<String> wanted = said.ids().isEmpty() ? List.of() : ids;
        tail.listen(
                since,
                before -> {
                    // Read when it is listened already: what changes from now on is told.
                    List<ObjectNode> present = source.present(wanted);
                    if (!source.presentByMessages()) {
                        ack.more.put("active", present);
                    }
                    ack.more.put("gap", before.missed());
                    List<Announced> replayed = new ArrayList<>();
                    for (LogTail.Listed each : before.listed()) {
                        Announced announced = realtime.announced(each);
                        if (announced != null) {
                            replayed.add(announced);
                        }
                    }
                    List<ObjectNode> first = source.presentByMessages() ? present : List.of();
                    client.crowd().put(() -> begin(tail, accepted, ack, total, replayed, first));
                });
        return Subscribing::nothing;
    }

    private void begin(
            LogTail tail,
            List<LogSubscription> accepted,
            Ack ack,
            int total,
            List<Announced> replayed,
            List<ObjectNode> present) {
        if (client.over() || client.listensTo(tail.source().source())) {
            // One hold on the list is enough for all that this client wants of it.
            tail.letGo();
        }
        client.attempt(
                () -> {
                    if (client.over()) {
                        return;
                    }
                    accepted.forEach(client::subscribe);
                    answer(ack, total);
                    for (Announced each : replayed) {
                        if (accepted.stream().anyMatch(one -> one.wants(each.announcement()))) {
                            client.tell(each.text(accepted.getFirst().type()));
                        }
                    }
                    // What was replayed is older than what holds now.
                    for (ObjectNode each : present) {
                        String text = new String(Json.write(each), StandardCharsets.UTF_8);
                        client.tell(realtime.wording().message(accepted.getFirst().type(), text));
                    }
                });
    }

    // ------------------------------------------------------------------ ending

    void unsubscribe(Said.Unsubscribe said) {
        Ack ack = new Ack(said.id());
        List<JsonNode> ended = new ArrayList<>();
        if (said.source().equals(Said.POINTS)) {
            List<JsonNode> names =
                    said.names()
                            .orElseGet(
                                    () ->
                                            client.channels().stream()
                                                    .<JsonNode>map(IntNode::valueOf)
                                                    .toList());
            for (JsonNode each : names) {
                if (client.unsubscribe(Said.channel(each))) {
                    ended.add(each);
                } else {
                    ack.fails(each, "NOT_SUBSCRIBED", "There is no such subscription.");
                }
            }
            client.channels().forEach(each -> ack.subscribed.add(IntNode.valueOf(each)));
        } else {
            List<String> ids =
                    said.names()
                            .map(list -> list.stream().map(each -> each.asString("")).toList())
                            .orElseGet(() -> client.logsOf(said.source()));
            for (String each : ids) {
                String id = each.equals("*") ? "" : each;
                if (client.unsubscribe(said.source(), id)) {
                    ended.add(name(id));
                } else {
                    ack.fails(name(id), "NOT_SUBSCRIBED", "There is no such subscription.");
                }
            }
            client.logsOf(said.source()).forEach(each -> ack.subscribed.add(name(each)));
        }
        ack.more.put("unsubscribed", ended);
        client.tell("unsubscribe_ack", ack.view(client.subscriptions()));
    }
}
