package dev.millrace.hub.shop.rows;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Checked;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Setting;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings that begin with {@code shop.rows}. */
public record RowSettings(
        @Setting(
                        about =
                                "the database whose rows are cached, as"
                                        + " jdbc:postgresql://host/database",
                        empty = "an embedded one in data.dir",
                        secrecy = Key.Secrecy.ADDRESS,
                        by = "url")
                Optional<String> url,
        @Setting(about = "who logs in to the database", empty = "as the URL says")
                Optional<String> user,
        @Setting(about = "the password for that", empty = "none", secrecy = Key.Secrecy.SECRET)
                Optional<String> password,
        @Setting(
                        about =
                                "the tables whose rows are given out, as name=table/key-column or"
                                        + " name=table/key-column/column+column; rows of inv are"
                                        + " inv:{id}, those of others row:{name}:{id}",
                        standard = "inv=inv/id")
                Map<String, RowTable> tables,
        @Setting(
                        about = "how many connections to the database there may be",
                        standard = "8",
                        least = "2",
                        most = "200")
                int pool,
        @Setting(
                        about = "how long a query may take, and how long somebody waits for a row",
                        standard = "5s",
                        least = "100ms")
                Duration patience,
        @Setting(
                        about = "how long a row that is not scheduled is given out without a look",
                        standard = "60s",
                        least = "1s")
                Duration fresh,
        @Setting(
                        about = "how old a row may be that is given out while the database is away",
                        standard = "1h",
                        least = "1s")
                Duration stale,
        @Setting(
                        about = "how long it is remembered that there is no such row",
                        standard = "5s",
                        least = "1s")
                Duration absent,
        @Setting(
                        about =
                                "how long a scheduled row may be missing in the database before"
                                        + " its schedule is dropped",
                        standard = "1h",
                        least = "1s")
                Duration forget,
        @Setting(
                        about = "how often it is looked whether a row is due",
                        standard = "50ms",
                        least = "10ms")
                Duration poll,
        @Setting(
                        about = "how many rows of a table are read in one query",
                        standard = "100",
                        least = "1",
                        most = "1000")
                int batch,
        @Setting(about = "how large a row may be", standard = "1MiB", least = "1KiB", most = "4MiB")
                Bytes largest,
        @Setting(
                        about = "whether the cached pages of an item go when its row has changed",
                        standard = "true")
                boolean purgePages,
        @Setting(
                        about =
                                "the channel of a PostgreSQL database on which it says, as"
                                        + " table:id, that a row has changed",
                        empty = "it says nothing",
                        by = "channel")
                Optional<String> listen)
        implements Checked {
    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final Pattern CHANNEL = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    static String url(String text) {
        if (!text.startsWith("jdbc:")) {
            throw new IllegalArgumentException(
                    "must begin with jdbc:, such as jdbc:postgresql://host/database.");
        }
        return text;
    }

    static String channel(String text) {
        if (!CHANNEL.matcher(text).matches()) {
            throw new IllegalArgumentException("must be a name of letters, digits and _.");
        }
        return text;
    }

    @Override
    public void check(Problems problems) {
        if (problems.isRight("tables")) {
            tables.keySet().stream()
                    .filter(name -> !TABLE.matcher(name).matches())
                    .forEach(
                            name ->
                                    problems.note(
                                            "tables",
                                            "'%s' is not a name of letters, digits and _ . -"
                                                    .formatted(name)));
        }
        if (problems.isRight("listen")
                && listen.isPresent()
                && url.filter(text -> text.startsWith("jdbc:postgresql:")).isEmpty()) {
            problems.note("listen", "only a PostgreSQL database says what has changed.");
        }
    }
}
