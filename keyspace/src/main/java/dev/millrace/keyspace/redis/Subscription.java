package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.Wire.BrokenWireException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Listens on channels, on a connection of its own that comes back by itself. Redis keeps no
 * messages for a listener that is away, so {@link Listener#listening} is called after every
 * (re)connect: whoever must not miss anything looks at the stored state then.
 */
public final class Subscription implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
    private static final long PAUSE_NANOS = 200_000_000;

    /** Called on the subscription's own thread, one call at a time. */
    public interface Listener {
        void message(String channel, byte[] body);

        /** Listening (again): messages of the time before were missed. */
        void listening();
    }

    private final List<String> channels;
    private final Endpoint endpoint;
    private final RedisOptions options;
    private final Watchdog watchdog;
    private final Listener listener;
    private volatile @Nullable Wire wire;
    private volatile boolean closed;

    Subscription(
            List<String> channels,
            Endpoint endpoint,
            RedisOptions options,
            Watchdog watchdog,
            Listener listener) {
        this.channels = List.copyOf(channels);
        this.endpoint = endpoint;
        this.options = options;
        this.watchdog = watchdog;
        this.listener = listener;
        Thread.ofVirtual().name("redis-subscription").start(this::run);
    }

    private void run() {
        while (!closed) {
            try (Wire open = Wire.open(endpoint, options, watchdog, Greeting.NONE)) {
                wire = open;
                listen(open);
            } catch (RedisException | BrokenWireException e) {
                if (!closed) {
                    LOG.warn(
                            "A subscription was interrupted. endpoint={} reason={}",
                            endpoint,
                            e.getMessage());
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    private void listen(Wire open) {
        byte[][] command = new byte[channels.size() + 1][];
        command[0] = Wire.ascii("SUBSCRIBE");
        for (int i = 0; i < channels.size(); i++) {
            command[i + 1] = channels.get(i).getBytes(StandardCharsets.UTF_8);
        }
        open.write(command);
        open.flush();
        int confirmed = 0;
        while (!closed) {
            Object push = open.read();
            if (push instanceof ErrorReply error) {
                throw error.asException();
            }
            if (push instanceof List<?> parts && parts.size() == 3) {
                String kind = new String((byte[]) parts.get(0), StandardCharsets.US_ASCII);
                if (kind.equals("subscribe") && ++confirmed == channels.size()) {
                    listener.listening();
                } else if (kind.equals("message")) {
                    listener.message(
                            new String((byte[]) parts.get(1), StandardCharsets.UTF_8),
                            (byte[]) parts.get(2));
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Wire open = wire;
        if (open != null) {
            open.close();
        }
    }
}
