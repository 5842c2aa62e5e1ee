package dev.millrace.hub.shop.rows;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.millrace.hub.work.BackOff;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The shop's database, read by as many as there are connections, and by nobody while it is away:
 * after a failure one reader at a time tries whether it is back, at most every second, and all
 * others hear at once that it is not. So a database that hangs costs nobody but that one his time,
 * and the connections are there when it comes back. Thread-safe.
 */
final class Database implements AutoCloseable {
    private static final Duration LEAST_WAIT = Duration.ofMillis(250);
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(2);

    /** One in this process is opened, which takes as long as it takes, and never away. */
    private static final Duration OPENING = Duration.ofSeconds(30);

    private static final BackOff BACK_OFF =
            BackOff.doubling(Duration.ofMillis(100), Duration.ofSeconds(1));
    private static final Logger log = LoggerFactory.getLogger(Database.class);

    private final HikariConfig config;
    private final RowSettings settings;
    private final RowJson json;
    private final Semaphore connections;
    private final Map<RowTable, KeyColumn> keys = new ConcurrentHashMap<>();
    private final ReentrantLock opening = new ReentrantLock();
    private final Preparation preparation;
    private volatile @Nullable HikariDataSource pool;

    /** Since it did not answer; null while it does. */
    private volatile @Nullable Trouble trouble;

    private final AtomicBoolean trying = new AtomicBoolean();

    /**
     * That it does not answer.
     *
     * @param failures in a row
     * @param tryAgain by the monotonic clock
     */
    private record Trouble(String why, int failures, long tryAgain) {}

    /** Makes a new database ready, such as the one on board. */
    @FunctionalInterface
    interface Preparation {
        void prepare(Connection connection) throws SQLException;
    }

    /** What it answered. */
    sealed interface Answer {
        /**
         * The rows that there are, as JSON.
         *
         * @param bad what is wrong with rows that cannot be given out
         */
        record Rows(Map<String, String> byId, Map<String, String> bad) implements Answer {}

        record Away(String why) implements Answer {}
    }

    Database(String url, RowSettings settings, Preparation preparation) {
        this.settings = settings;
        this.preparation = preparation;
        this.json = new RowJson((int) settings.largest().count());
        this.connections = new Semaphore(settings.pool());
        this.config = config(url, settings);
    }

    private static HikariConfig config(String url, RowSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("shop-rows");
        config.setJdbcUrl(url);
        settings.user().ifPresent(config::setUsername);
        settings.password().ifPresent(config::setPassword);
        config.setMaximumPoolSize(settings.pool());
        // One that cannot be reached is asked for when somebody wants it, not in the background.
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        long connect =
                url.startsWith("jdbc:h2:")
                        ? OPENING.toMillis()
                        : Math.max(
                                LEAST_WAIT.toMillis(),
                                Math.min(
                                        settings.patience().toMillis(),
                                        LONGEST_CONNECT.toMillis()));
        config.setConnectionTimeout(connect);
        config.setValidationTimeout(connect);
        if (url.startsWith("jdbc:postgresql:")) {
            config.addDataSourceProperty("connectTimeout", "2");
            config.addDataSourceProperty("loginTimeout", "2");
            config.addDataSourceProperty(
                    "socketTimeout", Long.toString(seconds(settings.patience()) + 1));
            config.addDataSourceProperty("tcpKeepAlive", "true");
            config.addDataSourceProperty("ApplicationName", "millrace");
            config.setReadOnly(true);
        }
        return config;
    }

    private static long seconds(Duration time) {
        return Math.max(1, time.plusMillis(999).toSeconds());
    }

    /** How many queries may run at once. */
    int width() {
        return settings.pool();
    }

    /** Why it does not answer; empty if it does, as far as anybody has asked. */
    Optional<String> trouble() {
        return Optional.ofNullable(trouble).map(Trouble::why);
    }

    /** Reads rows of a table in one query. */
    Answer read(RowTable table, Collection<String> ids) {
        Trouble known = trouble;
        boolean probe = false;
        if (known != null) {
            probe = System.nanoTime() - known.tryAgain >= 0 && trying.compareAndSet(false, true);
            if (!probe) {
                return new Answer.Away(known.why);
            }
        }
        try {
            return readNow(table, ids);
        } finally {
            if (probe) {
                trying.set(false);
            }
        }
    }

    private Answer readNow(RowTable table, Collection<String> ids) {
        boolean mine = false;
        try {
            mine = connections.tryAcquire(settings.patience().toNanos(), TimeUnit.NANOSECONDS);
            if (!mine) {
                return new Answer.Away("All connections to the database are busy.");
            }
            Answer answer = query(table, List.copyOf(ids));
            answered();
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Away("The hub is stopping.");
        } catch (SQLException | RuntimeException e) {
            keys.remove(table);
            return failed(table, e);
        } finally {
            if (mine) {
                connections.release();
            }
        }
    }

    private Answer query(RowTable table, List<String> ids) throws SQLException {
        try (Connection connection = pool().getConnection()) {
            KeyColumn key = keyOf(connection, table);
            List<Object> wanted = new ArrayList<>();
            for (String id : ids) {
                key.keyOf(id).ifPresent(wanted::add);
            }
            if (wanted.isEmpty()) {
                return new Answer.Rows(Map.of(), Map.of());
            }
            // Few different statements, so that the database knows them: 1, 2, 4, 8 … rows.
            int asked = Integer.highestOneBit(Math.max(1, wanted.size() * 2 - 1));
            try (PreparedStatement statement = connection.prepareStatement(table.query(asked))) {
                statement.setQueryTimeout((int) seconds(settings.patience()));
                for (int i = 0; i < asked; i++) {
                    statement.setObject(i + 1, wanted.get(Math.min(i, wanted.size() - 1)));
                }
                return rows(statement, key);
            }
        }
    }

    private Answer rows(PreparedStatement statement, KeyColumn key) throws SQLException {
        Map<String, String> byId = new HashMap<>();
        Map<String, String> bad = new HashMap<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String id = key.idIn(rows);
                String row = json.of(rows);
                if (row.length() > settings.largest().count()) {
                    bad.put(id, "The row is larger than %s.".formatted(settings.largest()));
                } else {
                    byId.put(id, row);
                }
            }
        }
        return new Answer.Rows(byId, bad);
    }

    private KeyColumn keyOf(Connection connection, RowTable table) throws SQLException {
        KeyColumn known = keys.get(table);
        if (known == null) {
            try (PreparedStatement statement = connection.prepareStatement(table.probe());
                    ResultSet nothing = statement.executeQuery()) {
                known = KeyColumn.of(nothing.getMetaData());
                keys.put(table, known);
            }
        }
        return known;
    }

    private HikariDataSource pool() throws SQLException {
        HikariDataSource known = pool;
        if (known != null) {
            return known;
        }
        opening.lock();
        try {
            known = pool;
            if (known == null) {
                HikariDataSource opened = new HikariDataSource(config);
                try (Connection connection = opened.getConnection()) {
                    preparation.prepare(connection);
                } catch (SQLException | RuntimeException e) {
                    opened.close();
                    throw e;
                }
                pool = opened;
                known = opened;
            }
            return known;
        } finally {
            opening.unlock();
        }
    }

    private void answered() {
        if (trouble != null) {
            trouble = null;
            log.info("The shop's database answers again.");
        }
    }

    private Answer failed(RowTable table, Exception failure) {
        String why = sentence(failure);
        if (isAboutTheStatement(failure)) {
            // It lives, and other tables can be read.
            log.warn("A table of the shop cannot be read. table={} reason={}", table.name(), why);
            return new Answer.Away(why);
        }
        Trouble before = trouble;
        int failures = before == null ? 1 : before.failures + 1;
        if (before == null) {
            log.warn(
                    "The shop's database does not answer; rows are given out as they are."
                            + " reason={}",
                    why);
        }
        trouble =
                new Trouble(
                        why, failures, System.nanoTime() + BACK_OFF.after(failures - 1).toNanos());
        return new Answer.Away(why);
    }

    /** The first line; the driver's own advice is for developers. */
    private static String sentence(Exception failure) {
        Throwable root = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            root = cause;
        }
        String text = String.valueOf(root.getMessage());
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    /** Classes of SQL states: 22 is about values, 42 about names and rights. */
    private static boolean isAboutTheStatement(Exception failure) {
        return failure instanceof SQLException sql
                && sql.getSQLState() != null
                && (sql.getSQLState().startsWith("42") || sql.getSQLState().startsWith("22"));
    }

    @Override
    public void close() {
        HikariDataSource open = pool;
        if (open != null) {
            open.close();
        }
    }
}
