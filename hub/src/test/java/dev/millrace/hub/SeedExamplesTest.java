package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.memory.Census;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What others have written by hand, as the key descriptions show it, is not drift. */
class SeedExamplesTest {
    private TestServer server;
    private Redis redis;
    private Keyspace keyspace;

    @BeforeEach
    void open() {
        server = SharedServers.standalone();
        SharedServers.flushAll();
        redis = Redis.open(Patience.options(server.url()));
        keyspace = new Keyspace(redis, Rooms.catalogue());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void the_alarm_of_the_third_description() {
        server.command("HSET", "comsrv:1:T", "101", "85.5");
        server.command("HSET", "comsrv:1:T", "102", "3.2");
        server.command("HSET", "comsrv:1:T", "_updated_at", "1754530782");
        // The description leaves it out; fsck would add it.
        server.command("SADD", "comsrv:index", "1");
        server.command("HSET", "alarm:rule:temp_high_1", "source_key", "comsrv:1:T");
        server.command("HSET", "alarm:rule:temp_high_1", "field", "101");
        server.command("HSET", "alarm:rule:temp_high_1", "threshold", "85");
        server.command("HSET", "alarm:rule:temp_high_1", "operator", ">");
        server.command("SADD", "alarm:rule:index", "temp_high_1");
        server.command("SADD", "idx:alarm:watch:comsrv:1:T:101", "temp_high_1");
        server.command("HSET", "alarm:temp_high_1", "status", "active");
        server.command("HSET", "alarm:temp_high_1", "trigger_value", "86.2");
        server.command("SADD", "idx:alarm:active", "temp_high_1");

        CheckReport report = keyspace.check().repairing().run();

        assertThat(report.findings()).isEmpty();
        assertThat(report.values()).isEqualTo(2);
        assertThat(report.entries()).isEqualTo(4);
        assertThat(report.unknown()).isZero();
    }

    @Test
    void the_events_of_the_first_description_as_its_reference_stores_them() {
        String id = "57ba04a1189b95b8afcdafd7";
        server.command(
                "SET",
                id,
                """
                {"ID":"%s","Checksum":"","Pushed":1471806399999,"Device":"123456789",\
                "Created":1464039917100,"Modified":0,"Origin":0}\
                """
                        .formatted(id));
        server.command("ZADD", "event", "0", id);
        server.command("ZADD", "event:created", "1464039917100", id);
        server.command("ZADD", "event:pushed", "1471806399999", id);
        server.command("ZADD", "event:device:123456789", "1464039917100", id);
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    @Test
    void the_keys_of_the_second_and_the_fifth() {
        String token = "EB9382CA-0376-4558-B271-EA230BDB7EAF";
        server.command("HSET", "login:", token, "user1");
        server.command("ZADD", "recent:", "1234567890", token);
        server.command("ZADD", "viewed:" + token, "1234567890", "item1");
        server.command("ZADD", "viewed:", "-23", "item1");
        server.command("HSET", "cart:" + token, "item1", "10");
        server.command("SET", "inv:273", "{\"qty\":629}");
        server.command("ZADD", "delay:", "10", "237");
        server.command("ZADD", "schedule:", "123123123.123", "237");
        server.command("SET", "cache:236712hhl3213yu21_hash", "html-content");
        server.command("SET", "c.{chX}.clock", "1");
        server.command("SET", "c.{chX}.r.sA", "0");
        server.command("SET", "c.{chX}.m.1", "{ \"id\": \"msg123\", \"content\": {} }");
        server.command("SET", "c.{chX}.mid.msg123", "1");

        assertThat(keyspace.check().run().findings()).isEmpty();
        Census census = keyspace.census(Pace.FULL, seen -> {});
        assertThat(census.total()).isEqualTo(13);
        assertThat(census.unknown()).isZero();
    }

    /** Only the index of documents makes a string a document: it might be anybody's. */
    @Test
    void a_document_that_somebody_else_wrote_is_unknown_and_left_alone() {
        server.command("SET", "brewblox-global:units", "{\"temperature\":\"degC\"}");
        CheckReport report = keyspace.check().repairing().run();
        assertThat(report.findings()).isEmpty();
        assertThat(report.unknownExamples()).containsExactly("brewblox-global:units");
        assertThat(server.command("EXISTS", "brewblox-global:units")).isEqualTo(1L);
    }
}
