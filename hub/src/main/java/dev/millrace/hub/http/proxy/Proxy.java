package dev.millrace.hub.http.proxy;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.PoolOptions;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy that listens. One event loop for each processor serves clients and applications. */
public final class Proxy implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Proxy.class);
    private static final int MOST_LOOPS = 8;
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration KEPT_OPEN = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final Shared shared;
    private final List<Ear> ears = new CopyOnWriteArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final int port;

    private Proxy(Vertx vertx, Shared shared) {
        this.vertx = vertx;
        this.shared = shared;
        await(
                vertx.deployVerticle(
                        () -> {
                            Ear ear = new Ear();
                            ears.add(ear);
                            return ear;
                        },
                        new DeploymentOptions().setInstances(loops())));
        this.port = ears.getFirst().server.actualPort();
        shared.options
                .health()
                .ifPresent(path -> vertx.setPeriodic(0, LOOK.toMillis(), now -> look(path)));
    }

    /** There is nobody who could listen there. */
    public static final class CannotListenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CannotListenException(String sentence) {
            super(sentence);
        }
    }

    /**
     * Begins to serve.
     *
     * @throws CannotListenException with a sentence
     */
    public static Proxy start(ProxyOptions options, Desk desk, MeterRegistry figures) {
        Vertx vertx =
                Vertx.vertx(
                        new VertxOptions()
                                .setPreferNativeTransport(true)
                                .setBlockedThreadCheckInterval(Duration.ofSeconds(10).toMillis())
                                .setEventLoopPoolSize(loops())
                                .setWorkerPoolSize(1)
                                .setInternalBlockingPoolSize(2)
                                .setFileSystemOptions(
                                        new FileSystemOptions()
                                                .setClassPathResolvingEnabled(false)
                                                .setFileCachingEnabled(false)));
        try {
            Upstreams upstreams = new Upstreams(options.applications());
            String name = "millrace-" + UUID.randomUUID().toString().substring(24);
            Hops hops = new Hops(options.trusted(), name);
            return new Proxy(
                    vertx,
                    new Shared(
                            options,
                            desk,
                            hops,
                            upstreams,
                            new ProxyFigures(figures, upstreams),
                            client(vertx, options)));
        } catch (CompletionException e) {
            var _ = vertx.close();
            throw new CannotListenException(
                    "The proxy cannot listen on %s:%d: %s."
                            .formatted(
                                    options.host(),
                                    options.port(),
                                    e.getCause() == null ? e : e.getCause().getMessage()));
        }
    }

    private static HttpClientAgent client(Vertx vertx, ProxyOptions options) {
        return vertx.httpClientBuilder()
                .with(
                        new HttpClientOptions()
                                .setConnectTimeout((int) options.times().connect().toMillis())
                                .setDecompressionSupported(false)
                                .setKeepAliveTimeout((int) KEPT_OPEN.toSeconds())
                                .setMaxHeaderSize(options.bounds().header())
                                .setMaxInitialLineLength(8 << 10)
                                .setTcpKeepAlive(true))
                .with(
                        new PoolOptions()
                                .setHttp1MaxSize(options.bounds().applicationConnections())
                                .setMaxWaitQueueSize(options.bounds().waiting()))
                .withConnectHandler(Hints::leaveOut)
                .build();
    }

    private static int loops() {
        return Math.min(MOST_LOOPS, Runtime.getRuntime().availableProcessors());
    }

    public int port() {
        return port;
    }

    /** Where it listens. */
    public String url() {
        String host = shared.options.host();
        return "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port);
    }

    /** Asks the application for something that no client waits for. */
    public void fetch(Asked asked, Turn.Fetch fetch) {
        Ear ear = ears.get(Math.floorMod(next.getAndIncrement(), ears.size()));
        Loop loop = Objects.requireNonNull(ear.loop);
        loop.run(() -> new Fetching(loop, asked, fetch, Sink.NOBODY).begin());
    }

    private void look(String path) {
        for (Upstream each : shared.upstreams.all()) {
            shared.client
                    .request(
                            each.request(path)
                                    .setMethod(HttpMethod.GET)
                                    .setTimeout(shared.options.times().connect().toMillis()))
                    .compose(Proxy::status)
                    .onComplete(
                            done ->
                                    each.looked(
                                            done.succeeded()
                                                    && done.result() >= 200
                                                    && done.result() < 400));
        }
    }

    private static Future<Integer> status(HttpClientRequest request) {
        request.exceptionHandler(Fetching::noted);
        return request.send()
                .compose(
                        answer -> {
                            answer.exceptionHandler(Fetching::noted);
                            int status = answer.statusCode();
                            var _ = request.reset();
                            return Future.succeededFuture(status);
                        });
    }

    /** Takes no more, and gives what is at work its time. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        shared.stopping = true;
        ears.forEach(ear -> ear.ask(Loop::stop));
        Duration patience = shared.options.times().stop();
        await(
                Future.all(ears.stream().map(ear -> ear.server.shutdown(patience)).toList()),
                patience.plus(GRACE));
        ears.forEach(ear -> ear.ask(Loop::cut));
        await(vertx.close(), GRACE);
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

    private static void await(Future<?> future) {
        var _ = future.toCompletionStage().toCompletableFuture().join();
    }

    /** One event loop that listens; all of them share the port. */
    private final class Ear extends AbstractVerticle {
        private final HttpServer server = Proxy.this.vertx.createHttpServer(options());
        private volatile @Nullable Loop loop;

        @Override
        public void start(Promise<Void> started) {
            Loop own = new Loop(shared, context);
            loop = own;
            server.connectionHandler(own::connected)
                    .requestHandler(own::requested)
                    .invalidRequestHandler(Unreadable::answer);
            int wanted = shared.options.port() == 0 ? -1 : shared.options.port();
            server.listen(wanted, shared.options.host()).<Void>mapEmpty().onComplete(started);
        }

        void ask(java.util.function.Consumer<Loop> what) {
            Loop own = Objects.requireNonNull(loop);
            own.run(() -> what.accept(own));
        }

        private HttpServerOptions options() {
            return new HttpServerOptions()
                    .setMaxHeaderSize(shared.options.bounds().header())
                    .setMaxInitialLineLength(8 << 10)
                    .setHandle100ContinueAutomatically(false)
                    .setHttp2ClearTextEnabled(false)
                    .setStrictThreadMode(false)
                    .setAcceptBacklog(4096)
                    .setTcpKeepAlive(true);
        }
    }
}
