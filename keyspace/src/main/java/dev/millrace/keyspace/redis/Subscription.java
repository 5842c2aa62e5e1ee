package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.Wire.BrokenWireException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Listens on channels, on a connection of its own that comes back by itself, in a cluster to
 * another node if the first is gone: each of them passes on every message. Redis keeps no messages
 * for a listener that is away, so {@link Listener#listening} is called after every (re)connect:
 * whoever must not miss anything looks at the stored state then.
 */
public final class Subscription implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
    private static final long PAUSE_NANOS = 200_000_000;

    /**
     * Called on the subscription's own thread, one call at a time. What it throws is logged; the
     * subscription goes on.
     */
    public interface Listener {
        void message(String channel, byte[] body);

        /** Listening (again): messages of the time before were missed. */
        void listening();
    }

    private final List<String> channels;
    private final Router router;
    private final Listener listener;
    private volatile @Nullable Wire wire;
    private volatile boolean closed;

    Subscription(List<String> channels, Router router, Listener listener) {
        this.channels = List.copyOf(channels);
        this.router = router;
        this.listener = listener;
        Thread.ofVirtual().name("redis-subscription").start(this::run);
    }

    private void run() {
        for (int attempt = 0; !ended(); attempt++) {
            List<Endpoint> nodes = router.primaries();
            Endpoint endpoint = nodes.get(attempt % nodes.size());
            try (Wire open = Wire.open(endpoint, router.options, router.watchdog)) {
                wire = open;
                listen(open);
            } catch (RedisException | BrokenWireException e) {
                if (!ended()) {
                    LOG.warn(
                            "A subscription was interrupted. endpoint={} reason={}",
                            endpoint,
                            e.getMessage());
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
            nodes = router.primaries();
        }
    }

    private boolean ended() {
        return closed || router.watchdog.closed();
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
        while (!ended()) {
            Object push = open.read();
            if (push instanceof ErrorReply error) {
                throw error.asException();
            }
            if (push instanceof List<?> parts && parts.size() == 3) {
                String kind = new String((byte[]) parts.get(0), StandardCharsets.US_ASCII);
                if (kind.equals("subscribe") && ++confirmed == channels.size()) {
                    tell(listener::listening);
                } else if (kind.equals("message")) {
                    String channel = new String((byte[]) parts.get(1), StandardCharsets.UTF_8);
                    tell(() -> listener.message(channel, (byte[]) parts.get(2)));
                }
            }
        }
    }

    private void tell(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.error("A listener failed. channels={}", channels, e);
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
