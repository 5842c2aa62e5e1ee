package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.redis.embedded.EmbeddedServer;

import org.junit.jupiter.api.Test;

/** What a person hears names the setting that helps. */
final class SettingNamesTest {
    @Test
    void advice_of_the_library_names_our_settings() {
        assertThat(SettingNames.in("Choose " + EmbeddedServer.OTHER_DIRECTORY + "."))
                .isEqualTo("Choose another data.dir.");
        assertThat(SettingNames.in("Free it, or " + EmbeddedServer.FREE_PORT + "."))
                .isEqualTo("Free it, or set redis.embedded.port=0.");
        assertThat(SettingNames.in(EmbeddedServer.OTHER_SERVER + "."))
                .isEqualTo(EmbeddedServer.OTHER_SERVER + ": redis.url=redis://host:port");
    }

    @Test
    void a_remedy_is_something_to_type() {
        assertThat(SettingNames.REMEDIES.syncAlways())
                .isEqualTo("./millrace run --set durability=fsync");
        assertThat(SettingNames.REMEDIES.memory(64L << 20))
                .isEqualTo("./millrace run --set redis.embedded.memory=64mb");
    }
}
