package dev.millrace.hub.cli;

import dev.millrace.hub.Settings;

import static org.assertj.core.api.Assertions.assertThat;

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
    void help_lists_commands_and_of_each_command_the_settings() {
        assertThat(Millrace.run(directory, "--help").out())
                .contains("run", "catalogue", "fsck", "version");
        Ended help = Millrace.run(directory, "fsck", "--help");
        assertThat(help.exit()).isZero();
        Settings.KEYS.all().forEach(key -> assertThat(help.out()).contains(key.name()));
    }

    @Test
    void an_unknown_command_ends_with_2() {
        Ended ended = Millrace.run(directory, "fly");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("fly", "try: ./millrace --help");
    }
}
