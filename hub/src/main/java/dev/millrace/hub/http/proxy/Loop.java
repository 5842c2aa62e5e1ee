package dev.millrace.hub.http.proxy;

import io.vertx.core.Context;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.RejectedExecutionException;

/**
 * What one event loop of a proxy knows: its clients, and what is under way. Everything here happens
 * on that loop. Now and then it looks for what takes too long; a timer for each request would cost
 * more than most requests do.
 */
final class Loop {
    private static final Logger log = LoggerFactory.getLogger(Loop.class);
    private static final long LOOK_MILLIS = 100;

    /** One connection of a client. */
    static final class Client {
        final HttpConnection http;
        final InetAddress peer;
        int busy;
        long idleSince = System.nanoTime();

        Client(HttpConnection http, InetAddress peer) {
            this.http = http;
            this.peer = peer;
        }

        /** At once: what waits to be taken is not waited for. */
        void cut() {
            if (http instanceof HttpServerConnection channel) {
                var _ = channel.channelHandlerContext().close();
            } else {
                var _ = http.close();
            }
        }
    }

    /** Something that may take too long. */
    interface Watched {
        void look(long now);
    }

    final Shared shared;
    private final Context context;
    private final Thread thread = Thread.currentThread();
    private final Map<HttpConnection, Client> clients = new HashMap<>();
    private final Set<Watched> watched = new HashSet<>();

    /** Connections to applications that were used before: only such a one may have grown old. */
    private final Set<HttpConnection> used =
            Collections.newSetFromMap(new WeakHashMap<HttpConnection, Boolean>());

    private boolean looking;

    Loop(Shared shared, Context context) {
        this.shared = shared;
        this.context = context;
    }

    /** Does it now if this is the loop's thread, and soon otherwise. */
    void run(Runnable step) {
        if (Thread.currentThread().equals(thread)) {
            step.run();
        } else {
            try {
                context.runOnContext(now -> step.run());
            } catch (RejectedExecutionException e) {
                log.debug("The proxy has stopped.");
            }
        }
    }

    /** Whether this connection was used before; from now on it was. */
    boolean reused(HttpConnection connection) {
        return !used.add(connection);
    }

    void connected(HttpConnection http) {
        Client client = new Client(http, InetAddress.ofLiteral(http.remoteAddress().hostAddress()));
        if (shared.stopping
                || shared.figures.connections.incrementAndGet()
                        > shared.options.bounds().connections()) {
            if (!shared.stopping) {
                shared.figures.connections.decrementAndGet();
                shared.figures.turnedAway();
            }
            client.cut();
            return;
        }
        clients.put(http, client);
        lookLater();
        http.closeHandler(
                closed -> {
                    if (clients.remove(http) != null) {
                        shared.figures.connections.decrementAndGet();
                    }
                });
    }

    void requested(HttpServerRequest request) {
        Client client = clients.get(request.connection());
        if (client == null) {
            var _ = request.connection().close();
            return;
        }
        client.busy++;
        new Exchange(this, client, request).begin();
    }

    void later(long millis, Runnable step) {
        context.owner().setTimer(millis, now -> run(step));
    }

    void watch(Watched one) {
        watched.add(one);
        lookLater();
    }

    void forget(Watched one) {
        watched.remove(one);
    }

    void finished(Client client) {
        client.busy--;
        client.idleSince = System.nanoTime();
        if (shared.stopping) {
            var _ = client.http.close();
        }
    }

    private void lookLater() {
        if (!looking) {
            looking = true;
            later(
                    LOOK_MILLIS,
                    () -> {
                        looking = false;
                        look();
                    });
        }
    }

    private void look() {
        long now = System.nanoTime();
        List.copyOf(watched).forEach(each -> safely(() -> each.look(now)));
        long idle = shared.options.times().idle().toNanos();
        for (Client client : List.copyOf(clients.values())) {
            if (client.busy == 0 && now - client.idleSince > idle) {
                client.cut();
            }
        }
        if (!watched.isEmpty() || !clients.isEmpty()) {
            lookLater();
        }
    }

    private static void safely(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            log.error("A request through the proxy failed.", e);
        }
    }

    /** Connections that do nothing are closed; the others when they have done it. */
    void stop() {
        for (Client client : List.copyOf(clients.values())) {
            if (client.busy == 0) {
                client.cut();
            }
        }
    }

    void cut() {
        List.copyOf(clients.values()).forEach(Client::cut);
    }
}
