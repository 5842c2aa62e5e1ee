package dev.millrace.hub.shop.rows;

import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

/**
 * Hears from a PostgreSQL database that rows have changed ({@code NOTIFY channel, 'table:id'}), so
 * that they need not wait for their schedule. One hub of a site listens, over a connection of its
 * own. What is said while nobody listens is not heard: then the schedule counts, as without this.
 */
final class ChangeListener implements AutoCloseable {
    private static final int WAIT_MILLIS = 1000;

    /** So many waits in vain. */
    private static final int MOST_QUIET = 5;

    private static final int ANSWER_SECONDS = 2;

    private final String url;
    private final String channel;
    private final RowSettings settings;
    private final RowStore store;
    private final RowCache cache;
    private final Refresher refresher;
    private final Duty duty;

    /** Of the duty's thread alone, until it has ended. */
    private @Nullable Connection connection;

    ChangeListener(
            String url,
            String channel,
            RowSettings settings,
            Keyspace keyspace,
            RowStore store,
            RowCache cache,
            Refresher refresher,
            MeterRegistry figures) {
        this.url = url;
        this.channel = channel;
        this.settings = settings;
        this.store = store;
        this.cache = cache;
        this.refresher = refresher;
        this.duty = Duty.start(keyspace, "shop-rows-changes", figures, this::step);
    }

    private Duration step(Duty.Turn turn) {
        try {
            PGConnection open = opened().unwrap(PGConnection.class);
            int quiet = 0;
            while (turn.mine()) {
                PGNotification[] heard = open.getNotifications(WAIT_MILLIS);
                if (heard != null && heard.length > 0) {
                    quiet = 0;
                    for (PGNotification each : heard) {
                        changed(each.getParameter());
                    }
                } else if (++quiet >= MOST_QUIET) {
                    // A connection that died on the way is as quiet as a database that has nothing
                    // to tell.
                    quiet = 0;
                    if (!opened().isValid(ANSWER_SECONDS)) {
                        throw new SQLException("it does not answer any more");
                    }
                }
            }
            return Duration.ZERO;
        } catch (SQLException e) {
            forget();
            // The duty says it once, and tries again with growing pauses.
            throw new IllegalStateException(
                    "The database cannot be listened to: " + e.getMessage(), e);
        }
    }

    private Connection opened() throws SQLException {
        Connection known = connection;
        if (known == null) {
            Properties login = new Properties();
            settings.user().ifPresent(user -> login.setProperty("user", user));
            settings.password().ifPresent(word -> login.setProperty("password", word));
            login.setProperty("connectTimeout", "2");
            login.setProperty("tcpKeepAlive", "true");
            known = DriverManager.getConnection(url, login);
            connection = known;
            try (Statement statement = known.createStatement()) {
                // A name of letters, digits and _: looked at where it was set.
                statement.execute("LISTEN " + channel);
            }
        }
        return known;
    }

    /** {@code table:id}, or an id of the first table. */
    private void changed(String said) {
        int colon = said.indexOf(':');
        RowName row =
                colon > 0 && settings.tables().containsKey(said.substring(0, colon))
                        ? new RowName(said.substring(0, colon), said.substring(colon + 1))
                        : new RowName(RowName.FIRST, said);
        if (!row.isRight()) {
            return;
        }
        cache.forget(row);
        if (store.changed(row)) {
            refresher.wake();
        } else {
            cache.thrownAway(row);
        }
    }

    private void forget() {
        Connection known = connection;
        connection = null;
        if (known != null) {
            try {
                known.close();
            } catch (SQLException e) {
                // It is broken already.
            }
        }
    }

    @Override
    public void close() {
        duty.close();
        forget();
    }
}
