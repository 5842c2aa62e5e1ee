package dev.millrace.hub.models;

import dev.millrace.hub.ems.IsoText;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.Quality;
import dev.millrace.hub.telemetry.Value;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Brings values of points into the models, in the order in which they were written, each once: how
 * far it has read is written in the commit of what it does. One hub of a site does it; another goes
 * on where it stopped.
 *
 * <p>On a cluster the models live elsewhere than the values. What was done is then written beside
 * the models, and how far the feed was read a moment later: facts that come again are known by
 * their number.
 */
final class ModelFollower implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ModelFollower.class);
    private static final int AT_ONCE = 500;

    /** In one commit; each takes some writes. */
    private static final int MOST_MODELS = 100;

    private static final Duration WAIT = Duration.ofSeconds(1);

    private final Keyspace keyspace;
    private final ModelBook book;
    private final ModelWrites writes;
    private final Points points;
    private final InstantSource clock;
    private final FeedReader reader;
    private final Duty duty;

    ModelFollower(
            Keyspace keyspace,
            ModelBook book,
            ModelWrites writes,
            Points points,
            MeterRegistry figures,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.book = book;
        this.writes = writes;
        this.points = points;
        this.clock = clock;
        this.reader = keyspace.feed(points.changes()).reader("models", Topic.Behind.GAP, false);
        this.duty = Duty.start(keyspace, "models", figures, this::step);
    }

    boolean held() {
        return duty.held();
    }

    private Duration step(Duty.Turn turn) {
        while (turn.mine()) {
            for (FeedReader.Unread unread : reader.next(AT_ONCE, WAIT)) {
                if (!turn.mine()) {
                    break;
                }
                read(unread);
            }
        }
        return WAIT;
    }

    // ---------------------------------------------------------------- one shard

    private void read(FeedReader.Unread unread) {
        if (unread.gap().isPresent()) {
            // What was missed is overtaken by what is there now.
            log.warn(
                    "Models have missed values and are brought up to date. from={} to={}",
                    unread.gap().get().from(),
                    unread.gap().get().to());
            all();
            reader.commit(unread).with(unread.closed(unread.gap().get())).run().orThrow();
        }
        if (unread.facts().isEmpty()) {
            return;
        }
        long done = done(unread);
        FeedReader.Unread from = unread;
        Batch batch = new Batch();
        for (Fact fact : unread.facts()) {
            if (fact.number() > done && !book.readsNothing()) {
                Told told = Told.of(fact, clock);
                if (!batch.takes(told)) {
                    if (!flush(from, batch)) {
                        return;
                    }
                    from = behind(from, Objects.requireNonNull(batch.last));
                    batch = new Batch();
                }
                batch.add(told, fact);
            } else {
                batch.last = fact;
            }
        }
        flush(from, batch);
    }

    /** Everything that is there now, as far as models read it. */
    private void all() {
        for (Model model : book.models()) {
            writes.forget(model.id());
            sync(model);
        }
    }

    /** Reads all points of a model again; gives how many there were. */
    int sync(Model model) {
        writes.forget(model.id());
        Map<String, Points.Present> inputs = writes.state(model).inputs();
        writes.write(new ModelWrites.Change(model, inputs, Map.of(), clock.instant(), false))
                .outcome()
                .orThrow();
        return inputs.size();
    }

    /** A place in the feed that this commit has moved to. */
    private static FeedReader.Unread behind(FeedReader.Unread before, Fact last) {
        String cursor = before.cursor();
        return new FeedReader.Unread(
                before.reader(),
                before.place(),
                before.epoch(),
                last.number() + cursor.substring(cursor.indexOf(' ')),
                before.end(),
                before.gap(),
                before.facts());
    }

    /** How far this shard is in the models, on a cluster. */
    private long done(FeedReader.Unread unread) {
        if (!keyspace.redis().cluster()) {
            return 0;
        }
        String[] parts = seen(unread).split(" ", -1);
        return parts.length == 2
                        && parts[0].equals(unread.epoch())
                        && parts[1].matches("[0-9]{1,18}")
                ? Long.parseLong(parts[1])
                : 0;
    }

    private String seen(FeedReader.Unread unread) {
        String shard = Integer.toString(unread.facts().getFirst().shard());
        return keyspace.cells()
                .fields(ModelsLayouts.READ.at(), List.of(shard))
                .answer()
                .or(Map.of())
                .getOrDefault(shard, "");
    }

    /** False if somebody else has read on meanwhile: then all of it is read again. */
    private boolean flush(FeedReader.Unread from, Batch batch) {
        Fact last = batch.last;
        if (last == null) {
            return true;
        }
        handOn(batch);
        boolean cluster = keyspace.redis().cluster();
        List<Addition> more = new ArrayList<>();
        if (!cluster) {
            more.add(from.readTo(last));
        }
        List<ModelWrites.Change> changes = batch.changes();
        if (changes.isEmpty() || cluster) {
            if (cluster && !changes.isEmpty() && !atSite(from, last, changes)) {
                return false;
            }
            Outcome<Long> outcome = reader.commit(from).with(from.readTo(last)).run();
            return settled(outcome);
        }
        Outcome<Long> outcome = writes.once(changes, more).outcome();
        if (outcome.failedBy(Reason.WRONG_TYPE) || outcome.failedBy(Reason.TOO_LARGE)) {
            oneByOne(changes);
            outcome = reader.commit(from).with(from.readTo(last)).run();
        }
        return settled(outcome);
    }

    private static boolean settled(Outcome<Long> outcome) {
        if (ModelWrites.overtaken(outcome)) {
            return false;
        }
        outcome.orThrow();
        return true;
    }

    /** A model whose keys somebody has spoilt is left out; the others go on. */
    private void oneByOne(List<ModelWrites.Change> changes) {
        for (ModelWrites.Change each : changes) {
            if (writes.write(each).outcome()
                    instanceof Outcome.NotDone<Long>(Reason reason, String why)) {
                log.warn(
                        "A model cannot be written. model={} reason={} detail={}",
                        each.model().id(),
                        reason,
                        why);
            }
        }
    }

    private boolean atSite(FeedReader.Unread from, Fact last, List<ModelWrites.Change> changes) {
        String shard = Integer.toString(last.shard());
        String before = seen(from);
        return settled(
                writes.onceBeside(
                                changes,
                                commit -> {
                                    if (before.isEmpty()) {
                                        commit.fieldAbsent(ModelsLayouts.READ.at(), shard);
                                    } else {
                                        commit.fieldEquals(ModelsLayouts.READ.at(), shard, before);
                                    }
                                    commit.setFields(
                                            ModelsLayouts.READ.at(),
                                            Map.of(shard, from.epoch() + " " + last.number()));
                                })
                        .outcome());
    }

    /** Values that somebody has mapped to another channel: writing one twice changes nothing. */
    private void handOn(Batch batch) {
        batch.handed.forEach(
                (target, text) -> {
                    int colon = target.lastIndexOf(':');
                    points.write(
                                    target.substring(0, colon),
                                    Map.of(target.substring(colon + 1), text))
                            .ifPresent(
                                    why ->
                                            log.warn(
                                                    "A value was not handed on. target={}"
                                                            + " reason={}",
                                                    target,
                                                    why));
                });
    }

    // ---------------------------------------------------------------- facts

    /** What a fact tells: values, or that a channel has changed its status. */
    private record Told(
            int channel, String source, Instant at, Map<String, Points.Present> values) {

        static Told of(Fact fact, InstantSource clock) {
            try {
                JsonNode node = Json.MAPPER.readTree(fact.body());
                int channel = node.path("channel_id").asInt(0);
                Instant at = IsoText.read(node.path("timestamp").asString(""));
                String source = "comsrv:" + channel + ":" + node.path("type").asString("");
                Map<String, Points.Present> values = new LinkedHashMap<>();
                for (Map.Entry<String, JsonNode> each : node.path("values").properties()) {
                    values.put(
                            source + ":" + each.getKey(),
                            present(each, node.path("quality").path(each.getKey()), at));
                }
                return new Told(channel, source, at, values);
            } catch (JacksonException | DateTimeParseException e) {
                return new Told(0, "", clock.instant(), Map.of());
            }
        }

        private static Points.Present present(
                Map.Entry<String, JsonNode> each, JsonNode quality, Instant at) {
            JsonNode value = each.getValue();
            double number = value.isNumber() ? value.doubleValue() : Double.NaN;
            return new Points.Present(
                    new Value(
                            each.getKey(),
                            value.asString(""),
                            number,
                            Quality.of(quality.asString(""))
                                    .orElse(Double.isNaN(number) ? Quality.BAD : Quality.GOOD)),
                    Optional.of(at));
        }
    }

    /**
     * Facts that go into one commit: each model gets a value of a measurement once, if somebody
     * watches it, so no alarm misses one.
     */
    private final class Batch {
        private final Map<String, ModelWrites.Change> byModel = new LinkedHashMap<>();
        private final Map<String, String> handed = new LinkedHashMap<>();
        private @Nullable Fact last;

        boolean takes(Told told) {
            if (byModel.size() >= MOST_MODELS) {
                return false;
            }
            for (String reference : told.values().keySet()) {
                for (String model : book.readers(reference)) {
                    ModelWrites.Change there = byModel.get(model);
                    if (there != null
                            && there.given().containsKey(reference)
                            && writes.isWatched(model)) {
                        return false;
                    }
                }
            }
            return true;
        }

        void add(Told told, Fact fact) {
            last = fact;
            Set<String> touched = new LinkedHashSet<>();
            told.values()
                    .forEach(
                            (reference, present) -> {
                                touched.addAll(book.readers(reference));
                                for (String target : book.handed(reference)) {
                                    handed.put(target, present.value().text());
                                }
                            });
            if (told.values().isEmpty() && told.channel() > 0) {
                statusOf(told);
                return;
            }
            for (String id : touched) {
                book.get(id).ifPresent(model -> put(model, mine(model, told.values()), told.at()));
            }
        }

        private Map<String, Points.Present> mine(Model model, Map<String, Points.Present> values) {
            Map<String, Points.Present> mine = new HashMap<>();
            for (Member.Point each : model.inputs()) {
                Points.Present present = values.get(each.reference());
                if (present != null) {
                    mine.put(each.reference(), present);
                }
            }
            return mine;
        }

        private void put(Model model, Map<String, Points.Present> given, Instant at) {
            ModelWrites.Change before = byModel.get(model.id());
            Map<String, Points.Present> all = new HashMap<>();
            if (before != null) {
                all.putAll(before.given());
            }
            all.putAll(given);
            byModel.put(model.id(), new ModelWrites.Change(model, all, Map.of(), at, false));
        }

        /** Whoever reads the channel is looked at again: its values may have another quality. */
        private void statusOf(Told told) {
            String prefix = "comsrv:" + told.channel() + ":";
            for (Model model : book.models()) {
                boolean reads =
                        model.inputs().stream().anyMatch(each -> each.source().startsWith(prefix));
                if (reads) {
                    writes.forget(model.id());
                    put(model, Map.of(), told.at());
                }
            }
        }

        List<ModelWrites.Change> changes() {
            return List.copyOf(byModel.values());
        }
    }

    @Override
    public void close() {
        reader.waitNoMore();
        duty.close();
    }
}
