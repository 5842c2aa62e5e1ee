package dev.millrace.hub.http.server;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.Talk;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Listens. One event loop for each processor reads requests and writes answers; {@link Exchange} is
 * what happens in between.
 */
public final class WebServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WebServer.class);
    private static final int MOST_LOOPS = 8;

    /** On one connection of HTTP/2 at a time. */
    private static final int MOST_STREAMS = 100;

    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration BLOCKED_LOOK = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final Front front;
    private final Certificates tls;
    private final List<Ear> ears = new CopyOnWriteArrayList<>();
    private final List<Runnable> stopActions = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final int port;

    private WebServer(Vertx vertx, Front front) {
        this.vertx = vertx;
        this.front = front;
        this.tls = new Certificates(front.settings);
        tls.check();
        await(
                vertx.deployVerticle(
                        () -> {
                            Ear ear = new Ear();
                            ears.add(ear);
                            return ear;
                        },
                        new DeploymentOptions().setInstances(loops())));
        this.port = ears.getFirst().server().actualPort();
    }

    /**
     * Begins to serve.
     *
     * @throws CannotListenException with a sentence that says what to do
     */
    public static WebServer start(
            HttpSettings settings, RouteTable table, Gate gate, MeterRegistry registry) {
        // A quarter for bodies, a quarter for answers; the rest is for the work.
        return start(settings, table, gate, registry, Runtime.getRuntime().maxMemory() / 4);
    }

    static WebServer start(
            HttpSettings settings,
            RouteTable table,
            Gate gate,
            MeterRegistry registry,
            long memory) {
        HttpMetrics metrics = new HttpMetrics(registry);
        Front front = new Front(settings, table, gate, metrics, memory);
        metrics.watch(front);
        Vertx vertx =
                Vertx.vertx(
                        new VertxOptions()
                                .setPreferNativeTransport(true)
                                // It complains of loops that are kept for seconds, which needs no
                                // haste.
                                .setBlockedThreadCheckInterval(BLOCKED_LOOK.toMillis())
                                .setEventLoopPoolSize(loops())
                                .setWorkerPoolSize(1)
                                .setInternalBlockingPoolSize(2)
                                .setFileSystemOptions(
                                        new FileSystemOptions()
                                                .setClassPathResolvingEnabled(false)
                                                .setFileCachingEnabled(false)));
        try {
            return new WebServer(vertx, front);
        } catch (CannotListenException e) {
            vertx.close();
            throw e;
        } catch (CompletionException e) {
            vertx.close();
            throw cannotListen(settings, e.getCause() == null ? e : e.getCause());
        }
    }

    private static int loops() {
        return Math.min(MOST_LOOPS, Runtime.getRuntime().availableProcessors());
    }

    private static CannotListenException cannotListen(HttpSettings settings, Throwable cause) {
        String reason = String.valueOf(cause.getMessage());
        String advice = "";
        if (reason.contains("in use")) {
            advice =
                    " Another program, or another hub, has this port; --set http.port=8081 takes"
                            + " another one, 0 any free one.";
        } else if (reason.contains("ermission denied")) {
            advice = " Ports below 1024 belong to the administrator; take a higher one.";
        } else if (reason.contains("ssign requested address")) {
            advice = " This machine has no such address; http.host names one of its own.";
        }
        return new CannotListenException(
                "Cannot listen on %s:%d: %s.%s"
                        .formatted(settings.host(), settings.port(), reason, advice));
    }

    /** Where it listens, for people and browsers. */
    public String url() {
        String host = front.settings.host();
        return "%s://%s:%d"
                .formatted(
                        tls.used() ? "https" : "http",
                        host.contains(":") ? "[" + host + "]" : host,
                        port);
    }

    public int port() {
        return port;
    }

    /** Runs when the hub begins to stop: whoever waits for news is told that there will be none. */
    public void whenStopping(Runnable action) {
        stopActions.add(action);
    }

    /**
     * Stops: takes no more, lets what is in flight come to its end, asks streams and talks to say
     * good-bye.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        front.stopping = true;
        stopActions.forEach(WebServer::run);
        ears.forEach(ear -> ear.ask(Loop::stop));
        Duration patience = front.settings.stopTimeOut();
        List<Future<Void>> closing =
                ears.stream().map(ear -> ear.server().shutdown(patience)).toList();
        await(Future.all(closing), patience.plus(GRACE));
        ears.forEach(ear -> ear.ask(Loop::cut));
        // A handler that blocks an event loop must not keep the process from its end.
        await(vertx.close(), GRACE);
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            log.error("A listener failed when it was told of the stop.", e);
        }
    }

    private static void await(Future<?> future, Duration patience) {
        try {
            future.toCompletionStage()
                    .toCompletableFuture()
                    .get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.warn("Not everything finished in time; the rest is cut off now.");
        } catch (ExecutionException e) {
            log.warn("A part did not shut down cleanly. reason={}", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    /** One event loop that listens; all of them share the port. */
    private final class Ear extends AbstractVerticle {
        private final HttpServer server = WebServer.this.vertx.createHttpServer(options());
        private volatile @Nullable Loop loop;

        HttpServer server() {
            return server;
        }

        @Override
        public void start(Promise<Void> started) {
            Loop own = new Loop(front, context);
            loop = own;
            server.connectionHandler(own::connected)
                    .requestHandler(own::requested)
                    .invalidRequestHandler(Unreadable::answer);
            tls.watch(vertx, server);
            // To all ears together, any port is a negative one.
            int wanted = front.settings.port() == 0 ? -1 : front.settings.port();
            server.listen(wanted, front.settings.host()).<Void>mapEmpty().onComplete(started);
        }

        void ask(Consumer<Loop> what) {
            context.runOnContext(now -> what.accept(Objects.requireNonNull(loop)));
        }

        private HttpServerOptions options() {
            HttpServerOptions options =
                    new HttpServerOptions()
                            .setMaxHeaderSize((int) front.settings.maxHeader().count())
                            .setMaxInitialLineLength((int) front.settings.maxHeader().count())
                            .setHandle100ContinueAutomatically(false)
                            .setHttp2ClearTextEnabled(false)
                            .setStrictThreadMode(false)
                            .setAcceptBacklog(4096)
                            .setTcpKeepAlive(true)
                            .setInitialSettings(
                                    new Http2Settings()
                                            .setMaxConcurrentStreams(MOST_STREAMS)
                                            .setMaxHeaderListSize(
                                                    front.settings.maxHeader().count()))
                            // A few bytes may unpack to very many, and a compressor for each of ten
                            // thousand
                            // sockets is too much memory.
                            .setPerMessageWebSocketCompressionSupported(false)
                            .setPerFrameWebSocketCompressionSupported(false)
                            .setMaxWebSocketFrameSize(Talk.LARGEST_FRAME)
                            .setMaxWebSocketMessageSize(Talk.LARGEST_FRAME)
                            // What browsers ask for at /eventbus; elsewhere nobody asks.
                            .setWebSocketSubProtocols(List.of("mqtt"));
            return tls.apply(options);
        }
    }
}
