package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.work.Seldom;

import io.vertx.core.Context;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.http1.Http1ServerConnection;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * What one event loop knows: its connections and the requests that are under way on them.
 * Everything here happens on that loop, so nothing is locked. Now and then it looks for those that
 * take too long: a timer for each request would cost more than most requests do.
 */
final class Loop implements Executor {
    private static final Logger log = LoggerFactory.getLogger(Loop.class);
    private static final Seldom FAILURES = new Seldom();

    /** How often it looks; deadlines are kept to that. */
    static final long LOOK_MILLIS = 250;

    /** One connection. */
    static final class Connection {
        final HttpConnection http;
        final InetAddress peer;
        int busy;
        long idleSince = System.nanoTime();
        private boolean ended;

        Connection(HttpConnection http, InetAddress peer) {
            this.http = http;
            this.peer = peer;
        }

        /**
         * Closes it when what was written has been taken; the second time at once, since somebody
         * who takes nothing would keep it for ever.
         */
        void end() {
            if (ended) {
                cut();
            } else {
                ended = true;
                idleSince = System.nanoTime();
                http.close();
            }
        }

        /**
         * Closes it at once. The library's own way always waits until everything was taken, also
         * when it gives up at a stop; so this goes past it.
         */
        void cut() {
            if (http instanceof HttpServerConnection channel) {
                var _ = channel.channelHandlerContext().close();
            } else {
                http.close();
            }
        }
    }

    final Front front;
    final Context context;

    /** Vert.x gives each request a context of its own, but all of a loop's have one thread. */
    private final Thread thread = Thread.currentThread();

    private final Map<HttpConnection, Connection> connections = new HashMap<>();
    private final Set<Exchange> exchanges = new HashSet<>();
    private boolean looking;

    /** On the thread that it is about. */
    Loop(Front front, Context context) {
        this.front = front;
        this.context = context;
    }

    /** For what others have to do here, such as writing to many streams at once. */
    @Override
    public void execute(Runnable step) {
        try {
            context.runOnContext(now -> step.run());
        } catch (RejectedExecutionException e) {
            // The server has stopped, and with it every connection the step could be about.
        }
    }

    /** Does it now if this is the loop's thread, and soon otherwise. */
    void run(Runnable step) {
        if (Thread.currentThread().equals(thread)) {
            step.run();
        } else {
            execute(step);
        }
    }

    void connected(HttpConnection http) {
        // First what can fail: a connection that is counted must be one that is closed some time.
        Connection connection =
                new Connection(http, InetAddress.ofLiteral(http.remoteAddress().hostAddress()));
        if (front.connections.incrementAndGet() > front.settings.maxConnections()) {
            front.connections.decrementAndGet();
            front.metrics.turnedAway();
            connection.cut();
            return;
        }
        connections.put(http, connection);
        if (!looking) {
            looking = true;
            lookLater();
        }
        if (http instanceof Http1ServerConnection plain) {
            // Without the library's own answer to a version that it does not know.
            plain.handler(this::requested);
        }
        http.closeHandler(closed -> left(connection));
    }

    /** It is closed; said twice it counts once. */
    void left(Connection connection) {
        if (connections.remove(connection.http) != null) {
            front.connections.decrementAndGet();
        }
    }

    void requested(HttpServerRequest request) {
        Connection connection = connections.get(request.connection());
        if (connection == null) {
            request.connection().close();
            return;
        }
        if (request.version() == null) {
            Unreadable.answer(request, Code.WRONG_VERSION);
            return;
        }
        connection.busy++;
        Exchange exchange = new Exchange(this, connection, request);
        exchanges.add(exchange);
        exchange.begin();
    }

    void finished(Exchange exchange) {
        if (exchanges.remove(exchange)) {
            exchange.connection.busy--;
            exchange.connection.idleSince = System.nanoTime();
        }
    }

    /** Again and again, until there is nothing to look at. */
    private void lookLater() {
        context.owner()
                .setTimer(
                        LOOK_MILLIS,
                        now -> {
                            look();
                            looking = !connections.isEmpty();
                            if (looking) {
                                lookLater();
                            }
                        });
    }

    /**
     * Ends what takes too long. A connection counts as idle until its next headers are complete.
     */
    void look() {
        long now = System.nanoTime();
        for (Exchange exchange : new ArrayList<>(exchanges)) {
            each(exchange.connection, () -> exchange.look(now));
        }
        long idle = front.settings.idleTimeOut().toNanos();
        for (Connection connection : new ArrayList<>(connections.values())) {
            if (connection.busy == 0 && now - connection.idleSince > idle) {
                each(connection, connection::end);
            }
        }
    }

    /** Asks everything that would stay to come to an end. */
    void stop() {
        for (Exchange exchange : List.copyOf(exchanges)) {
            each(exchange.connection, exchange::stop);
        }
    }

    /** The time for that is over. */
    void cut() {
        for (Exchange exchange : List.copyOf(exchanges)) {
            each(exchange.connection, exchange::abandon);
        }
        for (Connection connection : List.copyOf(connections.values())) {
            each(connection, connection::cut);
        }
    }

    /** One that fails is cut off; whatever it is, the others get their turn. */
    private static void each(Connection connection, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            FAILURES.say(
                    before ->
                            log.error(
                                    "A connection failed and is cut off. peer={} before={}",
                                    connection.peer.getHostAddress(),
                                    before,
                                    e));
            try {
                connection.cut();
            } catch (RuntimeException again) {
                log.debug("A connection cannot be cut off. reason={}", again.toString());
            }
        }
    }
}
