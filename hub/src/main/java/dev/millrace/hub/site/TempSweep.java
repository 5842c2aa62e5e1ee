package dev.millrace.hub.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.options.Endpoint;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives temporary keys that others write without a time to live one: a moment later, for Redis says
 * which keys were written. What was missed while nobody listened is found by a walk over all keys,
 * in small steps, which is made only then: at the start, and when the connection was lost.
 *
 * <p>On a cluster nobody else writes these keys.
 */
final class TempSweep implements AutoCloseable {
    private static final List<Cell> CELLS =
            List.of(SiteLayouts.CALCULATION, SiteLayouts.CACHE, SiteLayouts.SESSION);
    private static final Script BOUND = Script.of(TempSweep.class, "bound");
    private static final Duration LOOK = Duration.ofSeconds(30);

    /** Keys that a step of the walk looks at: a fraction of a millisecond. */
    private static final String STEP = "200";

    /** Between two steps: a tenth of the server's time at most. */
    private static final long REST_NANOS = Duration.ofMillis(2).toNanos();

    private final Keyspace keyspace;
    private final Duration standard;
    private final Duration session;
    private final AtomicBoolean missed = new AtomicBoolean(true);
    private final Duty duty;
    private final ForeignWrites notices;

    TempSweep(Keyspace keyspace, Duration standard, Duration session, MeterRegistry figures) {
        this.keyspace = keyspace;
        this.standard = standard;
        this.session = session;
        this.duty = Duty.start(keyspace, "temporary-keys", figures, this::step);
        this.notices =
                keyspace.foreignWrites(CELLS.stream().map(Cell::pattern).toList(), this::noticed);
    }

    /** Every hub does it: that costs one look at a key of which this hub has just heard. */
    private void noticed(ForeignWrites.Noticed noticed) {
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (Cell cell : CELLS) {
            if (noticed.everythingOf(cell.pattern())) {
                missed.set(true);
                duty.wake();
            }
            for (String key : noticed.keysOf(cell.pattern())) {
                asked.add(bound(cell, key));
            }
        }
        asked.forEach(CompletableFuture::join);
    }

    private CompletableFuture<?> bound(Cell cell, String key) {
        Duration time = cell == SiteLayouts.SESSION ? session : standard;
        String owner = cell.ownerOfKey(key).orElse("");
        return keyspace.call(
                BOUND,
                List.of(new Cell.Key(cell, key, owner)),
                Long.toString(time.toMillis()).getBytes(UTF_8));
    }

    private Duration step(Duty.Turn turn) {
        if (missed.getAndSet(false) && !walk(turn)) {
            missed.set(true);
        }
        return LOOK;
    }

    /** False if it was not finished. */
    private boolean walk(Duty.Turn turn) {
        for (Endpoint server : keyspace.redis().primaries()) {
            try (OwnConnection connection = keyspace.redis().own(server)) {
                String cursor = "0";
                do {
                    if (!turn.mine()) {
                        return false;
                    }
                    List<?> reply =
                            list(
                                    connection.call(
                                            bytes("SCAN"),
                                            bytes(cursor),
                                            bytes("MATCH"),
                                            bytes("temp:*"),
                                            bytes("COUNT"),
                                            bytes(STEP)));
                    cursor = text(reply.getFirst());
                    bound(list(reply.get(1)));
                    LockSupport.parkNanos(REST_NANOS);
                } while (!cursor.equals("0"));
            }
        }
        return true;
    }

    private void bound(List<?> names) {
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (Object name : names) {
            String key = text(name);
            CELLS.stream()
                    .filter(cell -> cell.pattern().matches(key))
                    .forEach(cell -> asked.add(bound(cell, key)));
        }
        asked.forEach(CompletableFuture::join);
    }

    private static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list;
        }
        throw new IllegalStateException("Redis has answered something else than a list.");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
    }

    @Override
    public void close() {
        notices.close();
        duty.close();
    }
}
