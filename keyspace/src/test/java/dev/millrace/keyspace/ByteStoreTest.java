package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Codec;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.ByteStore;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Values as bytes, ranges of ids, and what a commit does with values it has not read. */
@OnEachSite
final class ByteStoreTest extends EngineContract {
    record Note(String key, String text) {}

    private static final Codec.Text<Note> CODEC =
            new Codec.Text<>() {
                @Override
                public byte[] encode(Note note, byte @Nullable [] before) {
                    return note.text.getBytes(UTF_8);
                }

                @Override
                public Note decode(byte[] value) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public Note decode(String key, byte[] value) {
                    return new Note(key, new String(value, UTF_8));
                }
            };

    private static final Layout<Note> NOTES =
            Layout.json("{key}", Note.class, CODEC)
                    .ownedBy("first letter", key -> key.substring(0, 1))
                    .rest()
                    .adopting(note -> note.text.startsWith("ours"))
                    .kind("notes")
                    .sorted("notes", 0);

    private static final Cell BEFORE =
            Cell.of(KeyType.LIST, "before:{key:name}").livesWith("first letter");

    private final Topic topic = Topic.named("notes");

    ByteStoreTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Keyspace.catalogue(NOTES, BEFORE);
    }

    private void put(String key, String text) {
        done(keyspace.commit(key.substring(0, 1)).put(NOTES, new Note(key, text)).run());
    }

    private List<String> range(Optional<String> owner, String prefix) {
        List<String> found = new ArrayList<>();
        keyspace.bytes(NOTES)
                .range(
                        owner,
                        prefix,
                        true,
                        item ->
                                found.add(
                                        item.id()
                                                + "="
                                                + (item.value() == null
                                                        ? ""
                                                        : new String(item.value(), UTF_8))));
        found.sort(null);
        return found;
    }

    @Test
    void a_value_is_read_as_it_is_and_only_if_the_index_has_it() {
        put("a:1", "one");
        raw("a", "SET", "a:2", "two");
        ByteStore bytes = keyspace.bytes(NOTES);
        assertThat(bytes.send("a:1").join()).isEqualTo("one".getBytes(UTF_8));
        assertThat(bytes.send("a:2").join()).isNull();
        assertThat(bytes.getMany(List.of("a:2", "b", "a:1")))
                .containsExactly(null, null, "one".getBytes(UTF_8));
        assertThat(bytes.takenByOthers(List.of("a:1", "a:2", "a:3"))).containsExactly("a:2");
    }

    @Test
    void a_key_of_another_type_is_no_value() {
        put("a:1", "one");
        raw("a", "DEL", "a:1");
        raw("a", "RPUSH", "a:1", "x");
        ByteStore bytes = keyspace.bytes(NOTES);
        assertThat(bytes.send("a:1").join()).isNull();
        assertThat(bytes.getMany(List.of("a:1"))).containsExactly((byte[]) null);
        assertThat(bytes.takenByOthers(List.of("a:1"))).containsExactly("a:1");
        assertThat(range(Optional.empty(), "")).containsExactly("a:1=");
        driftIsExpected();
    }

    @Test
    void all_that_begins_alike_is_one_range() {
        for (String key : List.of("a", "a:1", "a:2", "a:é", "ab", "b:1")) {
            put(key, key);
        }
        assertThat(range(Optional.of("a"), "a:")).containsExactly("a:1=a:1", "a:2=a:2", "a:é=a:é");
        assertThat(range(Optional.empty(), "a")).hasSize(5);
        assertThat(range(Optional.empty(), "")).hasSize(6);
        assertThat(range(Optional.empty(), "c")).isEmpty();
    }

    @Test
    void a_long_range_comes_in_steps() {
        String large = "x".repeat(4000);
        for (int i = 0; i < 1300; i++) {
            put("a:" + i, i % 2 == 0 ? large : "");
        }
        assertThat(range(Optional.of("a"), "a:")).hasSize(1300);
        List<String> ids = new ArrayList<>();
        keyspace.bytes(NOTES).range(Optional.empty(), "a:", false, item -> ids.add(item.id()));
        assertThat(ids).hasSize(1300).doesNotHaveDuplicates();
    }

    // ---------------------------------------------------------------- commits

    private void putKeeping(String key, String text, long bytes) {
        done(
                keyspace.commit("a")
                        .keepBefore(BEFORE.of("a", "x"), NOTES, key, "<", ">", 2, bytes)
                        .put(NOTES, new Note(key, text))
                        .run());
    }

    private List<String> kept() {
        return keyspace.list(BEFORE.of("a", "x")).stream()
                .map(each -> new String(each, UTF_8))
                .toList();
    }

    @Test
    void what_is_replaced_is_kept_unless_nothing_changes() {
        putKeeping("a:x", "1", 1000);
        assertThat(kept()).isEmpty();
        putKeeping("a:x", "1", 1000);
        assertThat(kept()).isEmpty();
        putKeeping("a:x", "2", 1000);
        putKeeping("a:x", "3", 1000);
        putKeeping("a:x", "4", 1000);
        assertThat(kept()).containsExactly("<3>", "<2>");
    }

    @Test
    void of_large_values_fewer_are_kept() {
        putKeeping("a:x", "12345", 5);
        putKeeping("a:x", "123456", 5);
        assertThat(kept()).containsExactly("<12345>");
        putKeeping("a:x", "1", 5);
        assertThat(kept()).containsExactly("<12345>");
    }

    @Test
    void something_is_removed_without_having_been_read() {
        put("a:x", "1");
        done(
                keyspace.commit("a")
                        .keepBefore(BEFORE.of("a", "x"), NOTES, "a:x", "", "", 2, 10)
                        .remove(NOTES, new Note("a:x", ""))
                        .expire(BEFORE.of("a", "x"), Duration.ofMinutes(1))
                        .with(keyspace.feed(topic).factOfRemoval("gone".getBytes(UTF_8)))
                        .run());
        assertThat(keyspace.bytes(NOTES).send("a:x").join()).isNull();
        assertThat(kept()).containsExactly("1");
        assertThat((Long) raw("a", "PTTL", "before:x")).isPositive();
        notDone(
                Reason.ABSENT,
                keyspace.commit("a")
                        .remove(NOTES, new Note("a:x", ""))
                        .with(keyspace.feed(topic).factOfRemoval("gone".getBytes(UTF_8)))
                        .run());
        FeedCursor start = keyspace.feed(topic).now().behind(Shards.shard("a"), 0);
        assertThat(keyspace.feed(topic).since(start, 10))
                .isInstanceOfSatisfying(
                        Changes.Facts.class, facts -> assertThat(facts.facts()).hasSize(1));
    }

    @Test
    void a_wrong_type_where_versions_are_kept_refuses_all_of_it() {
        put("a:x", "1");
        raw("a", "SET", "before:x", "text");
        notDone(
                Reason.WRONG_TYPE,
                keyspace.commit("a")
                        .keepBefore(BEFORE.of("a", "x"), NOTES, "a:x", "", "", 2, 10)
                        .put(NOTES, new Note("a:x", "2"))
                        .run());
        assertThat(keyspace.bytes(NOTES).send("a:x").join()).isEqualTo("1".getBytes(UTF_8));
        driftIsExpected();
    }

    // ---------------------------------------------------------------- adopting

    @Test
    void what_says_that_it_is_ours_is_adopted_and_nothing_else() {
        raw("a", "SET", "a:1", "ours 1");
        raw("a", "SET", "a:2", "theirs");
        assertThat(keyspace.check().run().findings()).hasSize(1);
        assertThat(keyspace.bytes(NOTES).send("a:1").join()).isNull();
        keyspace.check().repairing().run();
        assertThat(range(Optional.empty(), "")).containsExactly("a:1=ours 1");
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    @Test
    void only_layouts_that_fit_are_read_so() {
        assertThatThrownBy(() -> new ByteStore(keyspace.ground(), Plant.RULES))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
