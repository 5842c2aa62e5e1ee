package dev.millrace.hub.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Setting;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.hub.work.Keep.Cut;
import dev.millrace.hub.work.Keep.Holdings;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the three limits say, and what has to go. */
class KeepTest {
    /** As the settings of a room have it. */
    record Shelf(
            @Setting(about = "how old things may become", least = "1s") Optional<Duration> keepAge,
            @Setting(about = "how many things are kept", standard = "1000") Keep.Count keepCount,
            @Setting(about = "how much memory they may take") Optional<Keep.Size> keepBytes) {}

    private static final Block<Shelf> SETTINGS = Block.of("shelf", "Things", Shelf.class);

    private static final long NOW = 1_000_000;

    private static Keep keep(long count, long bytes) {
        return new Keep(Optional.empty(), count, Optional.of(bytes));
    }

    private static Keep read(String... set) {
        Keys keys = new Keys(List.of(SETTINGS.keys()));
        Values values = SettingsSources.read(keys, Optional.empty(), List.of(set), Map.of());
        Shelf shelf = SETTINGS.read(values);
        values.mustBeRight();
        return Keep.of(shelf.keepAge(), shelf.keepCount(), shelf.keepBytes());
    }

    @Test
    void within_its_limits_nothing_goes() {
        assertThat(keep(10, 1000).cut(new Holdings(10, 1000), 0, NOW).nothing()).isTrue();
        assertThat(keep(10, 1000).cut(new Holdings(0, 0), 0, NOW).nothing()).isTrue();
    }

    @Test
    void what_is_too_many_goes() {
        assertThat(keep(10, Keep.NONE).cut(new Holdings(13, 1000), 0, NOW).surplus()).isEqualTo(3);
    }

    @Test
    void what_is_too_large_goes_as_many_as_are_too_large() {
        assertThat(keep(Keep.NONE, 1000).cut(new Holdings(100, 1500), 0, NOW).surplus())
                .isEqualTo(34);
        assertThat(keep(90, 1000).cut(new Holdings(100, 1500), 0, NOW).surplus()).isEqualTo(34);
        assertThat(keep(50, 1000).cut(new Holdings(100, 1500), 0, NOW).surplus()).isEqualTo(50);
    }

    @Test
    void never_more_than_there_is() {
        assertThat(keep(Keep.NONE, 1).cut(new Holdings(3, 1_000_000), 0, NOW).surplus())
                .isEqualTo(3);
    }

    @Test
    void what_is_too_old_goes_only_if_there_is_a_limit_of_age() {
        Keep keep = new Keep(Optional.of(Duration.ofSeconds(10)), Keep.NONE, Optional.empty());
        assertThat(keep.cut(new Holdings(1, 1), 0, NOW)).isEqualTo(new Cut(0, NOW - 10_000));
        assertThat(keep(1, 1).cut(new Holdings(1, 1), 0, NOW).olderThan())
                .isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void without_a_limit_in_bytes_it_is_half_of_what_redis_may_use() {
        Keep keep = read();
        assertThat(keep.bytes(1000)).isEqualTo(500);
        assertThat(keep.bytes(0)).isEqualTo(2L << 30);
        assertThat(read("shelf.keep-bytes=off").bytes(1000)).isEqualTo(Keep.NONE);
        assertThat(read("shelf.keep-bytes=64MB").bytes(1000)).isEqualTo(64L << 20);
    }

    @Test
    void defaults_and_settings() {
        assertThat(read()).isEqualTo(new Keep(Optional.empty(), 1000, Optional.empty()));
        assertThat(read("shelf.keep-age=2d", "shelf.keep-count=7", "shelf.keep-bytes=1KiB"))
                .isEqualTo(new Keep(Optional.of(Duration.ofDays(2)), 7, Optional.of(1024L)));
        assertThat(read("shelf.keep-count=off").count()).isEqualTo(Keep.NONE);
    }

    @Test
    void nonsense_is_refused_with_what_to_write() {
        for (String wrong : List.of("0", "-1", "many", "9999999999999")) {
            assertThatThrownBy(() -> read("shelf.keep-count=" + wrong))
                    .hasMessageContaining("or off");
        }
        assertThatThrownBy(() -> read("shelf.keep-bytes=lots"))
                .hasMessageContaining("not a valid size");
        assertThatThrownBy(() -> read("shelf.keep-age=5")).hasMessageContaining("not a valid time");
    }
}
