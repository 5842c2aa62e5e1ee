package dev.millrace.keyspace.redis.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who reads whose data. Redis 7.0 and 8.0 and Valkey 8.1 were tried out with each other. */
class ServerVersionTest {

    @ParameterizedTest
    @CsvSource({
        // its own, and newer ones of the same product
        "Redis 7.0.15, Redis 7.0.15, true",
        "Redis 7.0.15, Redis 7.2.0,  true",
        "Redis 7.0.15, Redis 8.0.2,  true",
        "Valkey 8.1.1, Valkey 9.0.0, true",
        // a fix more or less changes no format
        "Redis 7.0.15, Redis 7.0.14, true",
        "Redis 7.2.0,  Redis 7.0.15, false",
        "Redis 8.0.2,  Redis 7.4.9,  false",
        "Redis 10.0.0, Redis 9.9.9,  false",
        "Valkey 8.1.1, Valkey 8.0.9, false",
        // from Redis to Valkey
        "Redis 7.0.15, Valkey 8.1.1, true",
        "Redis 7.2.5,  Valkey 7.2.5, true",
        "Redis 7.4.0,  Valkey 8.1.1, false",
        "Redis 8.0.2,  Valkey 8.1.1, false",
        // and back
        "Valkey 8.1.1, Redis 7.0.15, false",
        "Valkey 8.1.1, Redis 8.0.2,  true",
        "Valkey 7.2.5, Redis 7.2.0,  true",
        "Valkey 9.0.0, Redis 8.0.2,  false",
    })
    void data_of_one_are_read_by_another(String writer, String reader, boolean reads) {
        assertThat(version(reader).reads(version(writer))).isEqualTo(reads);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Redis 7.0.15; redis-server 7.0 or newer, or valkey-server 7.2 or newer",
                "Redis 7.4.1;  redis-server 7.4 or newer",
                "Valkey 8.1.1; valkey-server 8.1 or newer, or redis-server 7.2 or newer",
                "Valkey 9.0.1; valkey-server 9.0 or newer",
            })
    void a_person_is_told_what_to_install(String writer, String advice) {
        assertThat(version(writer).successors()).isEqualTo(advice);
    }

    @ParameterizedTest
    @CsvSource({"Redis 7", "KeyDB 6.3.4", "Redis 7.0.15 ", "''", "Redis 99999999999.0.0"})
    void nonsense_is_no_version(String text) {
        assertThat(ServerVersion.parse(text + "!")).isEmpty();
        assertThat(ServerVersion.parse("!" + text)).isEmpty();
    }

    private static ServerVersion version(String text) {
        ServerVersion version = ServerVersion.parse(text).orElseThrow();
        assertThat(version).hasToString(text);
        return version;
    }
}
