package dev.millrace.hub.http;

import io.vertx.core.Context;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one event loop knows: its connections and the requests that are under way on them.
 * Everything here happens on that loop, so nothing is locked. Now and then it looks for those that
 * take too long: a timer for each request would cost more than most requests do.
 */
final class Loop {
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
    private final Map<HttpConnection, Connection> connections = new HashMap<>();
    private final Set<Exchange> exchanges = new HashSet<>();

    Loop(Front front, Context context) {
        this.front = front;
        this.context = context;
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
        connection.busy++;
        Exchange exchange = new Exchange(this, connection, request);
        exchanges.add(exchange);
        exchange.arrived();
    }

    void finished(Exchange exchange) {
        if (exchanges.remove(exchange)) {
            exchange.connection.busy--;
            exchange.connection.idleSince = System.nanoTime();
        }
    }

    /**
     * Ends what takes too long. A connection counts as idle until its next headers are complete.
     */
    void look() {
        long now = System.nanoTime();
        for (Exchange exchange : new ArrayList<>(exchanges)) {
            exchange.look(now);
        }
        long idle = front.settings.idleTimeOut().toNanos();
        for (Connection connection : new ArrayList<>(connections.values())) {
            if (connection.busy == 0 && now - connection.idleSince > idle) {
                connection.end();
            }
        }
    }

    /** Asks everything that would stay to come to an end. */
    void stop() {
        List.copyOf(exchanges).forEach(Exchange::stop);
    }

    /** The time for that is over. */
    void cut() {
        List.copyOf(exchanges).forEach(Exchange::abandon);
        List.copyOf(connections.values()).forEach(Connection::cut);
    }
}
