package dev.millrace.hub.models;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.commands.Command;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.outcome.Outcome;

import io.micrometer.core.instrument.MeterRegistry;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Optional;

/**
 * On a cluster commands live with their channel and models with the site, so what becomes of an
 * action is read from the feed of commands. To write a step twice changes nothing more.
 */
final class ActionFollower implements AutoCloseable {
    private static final int AT_ONCE = 200;
    private static final int ATTEMPTS = 32;
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final Keyspace keyspace;
    private final Commands commands;
    private final ModelActions actions;
    private final FeedReader reader;
    private final Duty duty;

    ActionFollower(
            Keyspace keyspace,
            Topic topic,
            Commands commands,
            ModelActions actions,
            MeterRegistry figures) {
        this.keyspace = keyspace;
        this.commands = commands;
        this.actions = actions;
        this.reader = keyspace.feed(topic).reader("models", Topic.Behind.GAP, false);
        this.duty = Duty.start(keyspace, "models-actions", figures, this::step);
    }

    private Duration step(Duty.Turn turn) {
        while (turn.mine()) {
            for (FeedReader.Unread unread : reader.next(AT_ONCE, WAIT)) {
                unread.gap()
                        .ifPresent(
                                gap ->
                                        reader.commit(unread)
                                                .with(unread.closed(gap))
                                                .run()
                                                .orThrow());
                for (Fact fact : unread.facts()) {
                    told(fact).ifPresent(this::write);
                }
                if (!unread.facts().isEmpty()) {
                    reader.commit(unread).with(unread.readTo(unread.facts().getLast())).run();
                }
            }
        }
        return WAIT;
    }

    private Optional<Command> told(Fact fact) {
        try {
            JsonNode node = Json.MAPPER.readTree(fact.body());
            String id = node.path("cmd_id").asString("");
            int channel = node.path("channel_id").asInt(0);
            return id.isEmpty() || channel == 0 ? Optional.empty() : commands.find(channel, id);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private void write(Command command) {
        Outcome<Long> last = Outcome.done(0L);
        for (int i = 0; i == 0 || (i < ATTEMPTS && ModelWrites.overtaken(last)); i++) {
            Commit commit = keyspace.commitAtSite();
            actions.add(command, commit);
            last = commit.run();
        }
    }

    @Override
    public void close() {
        reader.waitNoMore();
        duty.close();
    }
}
