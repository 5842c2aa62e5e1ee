package dev.millrace.hub.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.Rooms;
import dev.millrace.hub.site.SiteKeys;
import dev.millrace.hub.telemetry.bus.Spoken;
import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.channels.Channels;
import dev.millrace.hub.telemetry.channels.ForeignChannels;
import dev.millrace.hub.telemetry.kept.NewValues;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.telemetry.kept.ValuesReader;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** What another room sees of the values that are written, by whomever. */
class ValueWritesTest {
    private static final TestServer SERVER = SharedServers.standalone();
    private static final String SOURCE = "comsrv:1:T";

    private Redis redis;
    private Keyspace keyspace;
    private ChannelBook book;
    private Values values;
    private ValueWrites writes;
    private Looks looks;
    private Hints hints;
    private final Watcher watcher = new Watcher();

    /** Notes what it sees, and how it ended; refuses as often as it is told to. */
    private static final class Watcher implements Contributor {
        final List<String> seen = Collections.synchronizedList(new ArrayList<>());
        final List<String> stored = Collections.synchronizedList(new ArrayList<>());
        volatile int refusals;

        @Override
        public Contribution contribute(Written written, Commit commit) {
            String text =
                    written.values().getFirst().text()
                            + (written.initial() ? " initial" : "")
                            + (written.stored() ? "" : " foreign");
            seen.add(text);
            if (refusals > 0) {
                refusals--;
                commit.fieldEquals(TelemetryLayouts.values(PointType.C).at("1"), "none", "such");
            }
            return new Contribution() {
                @Override
                public List<String> triggered() {
                    return List.of("rule-" + written.values().getFirst().text());
                }

                @Override
                public List<String> cleared() {
                    return List.of();
                }

                @Override
                public void ended(Outcome<Long> outcome) {
                    if (outcome.isStored()) {
                        stored.add(text);
                    }
                }
            };
        }

        @Override
        public Set<String> watched(String source) {
            return source.equals(SOURCE) ? Set.of("101") : Set.of();
        }

        @Override
        public Set<String> sources() {
            return Set.of(SOURCE, "model:m:measurement");
        }
    }

    @BeforeEach
    void open() {
        SERVER.flushAll();
        redis = Redis.open(Patience.options(SERVER.url()));
        keyspace = new Keyspace(redis, Rooms.catalogue());
        SiteKeys site = new SiteKeys();
        Clock clock = Clock.systemUTC();
        book = ChannelBook.open(keyspace, site);
        KnownChannels known = new KnownChannels();
        writes = new ValueWrites(keyspace, new ChannelHealth(keyspace, site, book, known), clock);
        writes.contributors(List.of(watcher));
        values = new Values(keyspace, book, writes, known, clock);
    }

    private void look() {
        SiteKeys site = new SiteKeys();
        Clock clock = Clock.systemUTC();
        ChannelHealth health = new ChannelHealth(keyspace, site, book, new KnownChannels());
        ForeignChannels others =
                new ForeignChannels(
                        keyspace,
                        site,
                        book,
                        new Channels(keyspace, site, book, health, Set::of, Spoken.NONE, clock),
                        health,
                        clock);
        looks =
                new Looks(
                        keyspace,
                        book,
                        values,
                        writes,
                        List.of(watcher),
                        others::sweep,
                        new SimpleMeterRegistry(),
                        clock);
        hints = new Hints(keyspace, book, others, looks);
    }

    @AfterEach
    void close() {
        if (hints != null) {
            hints.close();
        }
        if (looks != null) {
            looks.close();
        }
        book.close();
        redis.close();
    }

    private CompletableFuture<WriteResult> write(String json) {
        var read =
                (ValuesReader.Read.Done<NewValues>)
                        ValuesReader.values(json.getBytes(StandardCharsets.UTF_8), PointType.T);
        return values.write(1, PointType.T, read.value());
    }

    @Test
    void what_another_room_adds_is_told_to_the_writer() {
        WriteResult result = write("{\"101\":90}").join();
        assertThat(result).isEqualTo(new WriteResult.Done(List.of("rule-90"), List.of()));
        assertThat(watcher.stored).containsExactly("90");
    }

    @Test
    void a_write_that_was_overtaken_is_put_together_anew() {
        watcher.refusals = 2;
        assertThat(write("{\"101\":90}").join()).isInstanceOf(WriteResult.Done.class);
        assertThat(watcher.seen).containsExactly("90", "90", "90");
        assertThat(watcher.stored).containsExactly("90");
    }

    @Test
    void a_write_that_is_always_overtaken_is_given_up_and_has_stored_nothing() {
        watcher.refusals = 1000;
        assertThat(write("{\"101\":90}").join()).isInstanceOf(WriteResult.Failed.class);
        assertThat(SERVER.command("EXISTS", SOURCE)).isEqualTo(0L);
    }

    @Test
    void writes_are_seen_in_the_order_in_which_they_are_stored() {
        List<CompletableFuture<WriteResult>> all =
                IntStream.range(0, 400)
                        .mapToObj(
                                i ->
                                        CompletableFuture.supplyAsync(
                                                () -> write("{\"101\":" + i + "}").join(),
                                                Thread::startVirtualThread))
                        .toList();
        all.forEach(CompletableFuture::join);
        assertThat(watcher.stored).hasSize(400);
        assertThat(watcher.stored.getLast()).isEqualTo(SERVER.command("HGET", SOURCE, "101"));
    }

    @Test
    void a_hub_that_begins_looks_at_what_is_there_and_then_at_what_others_write() {
        SERVER.command("HSET", SOURCE, "101", "90");
        look();
        await().until(() -> watcher.stored.contains("90 initial foreign"));
        SERVER.command("HSET", SOURCE, "101", "80");
        await().until(() -> watcher.stored.contains("80 foreign"));
        SERVER.command("HSET", SOURCE, "101", "81", "_updated_at", "1754530782");
        await().until(() -> watcher.stored.contains("81 foreign"));
        write("{\"101\":82}").join();
        SERVER.command("HSET", SOURCE, "101", "83");
        await().until(() -> watcher.stored.contains("83 foreign"));
        assertThat(watcher.stored)
                .filteredOn(text -> text.endsWith("foreign"))
                .doesNotContain("82 foreign")
                .doesNotHaveDuplicates();
        looks.lookAt(SOURCE, Set.of("101", "102"));
        await().until(() -> watcher.stored.contains("83 initial foreign"));
    }

    @Test
    void a_text_that_is_not_a_number_is_seen_as_one_of_bad_quality() {
        SERVER.command("HSET", SOURCE, "101", "90");
        look();
        await().until(() -> watcher.stored.contains("90 initial foreign"));
        SERVER.command("HSET", SOURCE, "101", "abc");
        await().until(() -> watcher.stored.contains("abc foreign"));
        await().until(() -> SERVER.command("HGET", SOURCE + ":q", "101") != null);
        assertThat(values.some(1, PointType.T, List.of("101")).present("101").value().quality())
                .isEqualTo(Quality.BAD);
    }
}
