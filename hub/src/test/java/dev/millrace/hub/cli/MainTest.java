package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.Settings;
import dev.millrace.hub.cli.Millrace.Ended;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The frame around the commands. */
class MainTest {
    @TempDir private Path directory;

    @Test
    void version_prints_one_line() {
        Ended ended = Millrace.run(directory, "version");
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).matches("millrace .+\n");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void help_fits_on_a_screen_and_settings_have_a_page_of_their_own() {
        assertThat(Millrace.run(directory, "--help").out())
                .contains("run", "catalogue", "fsck", "version");
        Ended help = Millrace.run(directory, "fsck", "--help");
        assertThat(help.exit()).isZero();
        assertThat(help.out()).contains("--repair", "./millrace help settings");
        assertThat(help.out().lines().count()).isLessThan(40);
        Ended settings = Millrace.run(directory, "settings");
        assertThat(settings.exit()).isZero();
        Settings.KEYS
                .all()
                .forEach(
                        key ->
                                assertThat(settings.out())
                                        .contains("  " + key.name() + "\n      " + key.about()));
    }

    @Test
    void an_unknown_command_ends_with_2() {
        Ended ended = Millrace.run(directory, "fly");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("fly", "try: ./millrace --help");
    }
}
