package dev.millrace.hub.live;

import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Role;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Topic;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A feed that clients may listen to, as its room declares it:
 *
 * <pre>{@code
 * LiveFeed.of("alarms", AlarmService.TOPIC, Role.VIEWER, "alarms")
 *     .withSnapshot(service::activeAsJson)
 *     .latestOf(fact -> ruleIn(fact))
 * }</pre>
 *
 * @param name as clients ask for it
 * @param door who may listen
 * @param text how a fact becomes JSON
 * @param snapshot the present state as JSON. It is taken after the place from which changes follow,
 *     so a change may come that the state has already; none is missing
 * @param key which thing a fact is about, where only the latest about each thing matters: a client
 *     that is behind gets only that. Without it no fact is left out
 */
public record LiveFeed(
        String name,
        Topic topic,
        Door door,
        Function<Fact, byte[]> text,
        Optional<Supplier<byte[]>> snapshot,
        Optional<Function<Fact, String>> key) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");

    /** Names of events that are no facts, here or in browsers. */
    private static final Set<String> TAKEN =
            Set.of("snapshot", "reload", "ready", "bye", "message", "error", "open");

    public LiveFeed {
        if (!NAME.matcher(name).matches() || TAKEN.contains(name)) {
            throw new IllegalArgumentException("'%s' is not a valid feed name.".formatted(name));
        }
    }

    /** Facts as they are, if they are JSON, or as a JSON string. */
    public static LiveFeed of(String name, Topic topic, Role role, String room) {
        return new LiveFeed(
                name,
                topic,
                Door.of(role, room),
                FactText::plain,
                Optional.empty(),
                Optional.empty());
    }

    /** Facts are JSON objects; each gets a member {@code at}, when it happened. */
    public LiveFeed withTime() {
        return new LiveFeed(name, topic, door, FactText::timed, snapshot, key);
    }

    public LiveFeed withText(Function<Fact, byte[]> json) {
        return new LiveFeed(
                name, topic, door, fact -> FactText.oneLine(json.apply(fact)), snapshot, key);
    }

    public LiveFeed withSnapshot(Supplier<byte[]> json) {
        return new LiveFeed(name, topic, door, text, Optional.of(json), key);
    }

    public LiveFeed latestOf(Function<Fact, String> thing) {
        return new LiveFeed(name, topic, door, text, snapshot, Optional.of(thing));
    }
}
