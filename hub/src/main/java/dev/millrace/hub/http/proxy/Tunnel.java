package dev.millrace.hub.http.proxy;

import dev.millrace.hub.http.Header;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetSocket;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A WebSocket: once the application agrees, bytes go both ways as they come, each as fast as the
 * other side takes them. On one event loop.
 */
final class Tunnel implements Loop.Watched {
    /** With these a client knows how to come again. */
    private static final Set<String> OF_REFUSALS =
            Set.of(
                    "location",
                    "retry-after",
                    "sec-websocket-protocol",
                    "sec-websocket-version",
                    "set-cookie",
                    "www-authenticate");

    private final Loop loop;
    private final Asked asked;
    private final HttpServerRequest raw;
    private final Runnable opened;
    private final Consumer<Turn> refused;
    private long moved = System.nanoTime();
    private boolean over;
    private Runnable cut = () -> {};

    /**
     * Nothing has begun.
     *
     * @param opened run when the client has its tunnel
     * @param refused told what the client gets if it does not
     */
    Tunnel(Loop loop, Asked asked, HttpServerRequest raw, Runnable opened, Consumer<Turn> refused) {
        this.loop = loop;
        this.asked = asked;
        this.raw = raw;
        this.opened = opened;
        this.refused = refused;
    }

    /** Whether a request asks for one; other upgrades are between neighbours, and end here. */
    static boolean wanted(HttpServerRequest raw) {
        return HttpMethod.GET.equals(raw.method())
                && "websocket".equalsIgnoreCase(raw.getHeader(HttpHeaders.UPGRADE))
                && raw.headers().getAll(HttpHeaders.CONNECTION).stream()
                        .anyMatch(each -> each.toLowerCase(Locale.ROOT).contains("upgrade"))
                && !raw.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                && !raw.headers().contains(HttpHeaders.CONTENT_LENGTH);
    }

    void begin() {
        Optional<Upstream> chosen = loop.shared.upstreams.choose(Set.of());
        if (chosen.isEmpty()) {
            refuse(Failure.RESTING);
            return;
        }
        Upstream upstream = chosen.get();
        MultiMap headers =
                loop.shared.hops.toApplication(
                        asked,
                        Set.of(),
                        List.of(
                                new Header("Connection", "Upgrade"),
                                new Header("Upgrade", "websocket")));
        loop.watch(this);
        loop.shared
                .client
                .request(
                        upstream.request(asked.target())
                                .setMethod(HttpMethod.GET)
                                .setConnectTimeout(loop.shared.options.times().connect().toMillis())
                                .setHeaders(headers))
                .compose(
                        request -> {
                            // Its failure after we have cut it tells nothing new.
                            request.exceptionHandler(Fetching::noted);
                            cut = () -> quietly(request);
                            return request.connect();
                        })
                .onComplete(
                        answered ->
                                loop.run(
                                        () -> {
                                            if (over) {
                                                cut.run();
                                            } else if (answered.succeeded()) {
                                                upstream.worked();
                                                answered(answered.result());
                                            } else {
                                                upstream.failed(
                                                        String.valueOf(
                                                                answered.cause().getMessage()));
                                                refuse(Failure.UNREACHABLE);
                                            }
                                        }));
    }

    private static void quietly(HttpClientRequest request) {
        var _ = request.reset();
    }

    private void refuse(Failure why) {
        end();
        loop.shared.figures.failed(why);
        refused.accept(new Turn.Give(Content.sentence(why.status(), why.sentence()), List.of()));
    }

    private void answered(HttpClientResponse answer) {
        answer.exceptionHandler(Fetching::noted);
        if (answer.statusCode() != 101) {
            end();
            cut.run();
            // The application's refusal, without a body that nobody shows anyhow.
            refused.accept(
                    new Turn.Give(
                            Content.sentence(
                                    answer.statusCode() < 300 ? 502 : answer.statusCode(),
                                    "The shop does not talk over a WebSocket here."),
                            loop.shared.hops.toClient(answer.headers()).stream()
                                    .filter(Tunnel::tellsWhatToDo)
                                    .toList()));
            return;
        }
        NetSocket application = answer.netSocket();
        var _ = application.pause();
        loop.shared
                .hops
                .toClient(answer.headers())
                .forEach(each -> raw.response().headers().add(each.name(), each.value()));
        raw.response()
                .putHeader(HttpHeaders.CONNECTION, "Upgrade")
                .putHeader(HttpHeaders.UPGRADE, "websocket");
        raw.toNetSocket()
                .onComplete(
                        made ->
                                loop.run(
                                        () -> {
                                            if (made.succeeded()) {
                                                join(made.result(), application);
                                            } else {
                                                end();
                                                var _ = application.close();
                                            }
                                        }));
    }

    private static boolean tellsWhatToDo(Header each) {
        return OF_REFUSALS.contains(each.name().toLowerCase(Locale.ROOT));
    }

    private void join(NetSocket client, NetSocket application) {
        loop.shared.figures.tunnels.incrementAndGet();
        opened.run();
        cut =
                () -> {
                    var _ = client.close();
                    var _ = application.close();
                };
        flow(client, application);
        flow(application, client);
    }

    private void flow(NetSocket from, NetSocket to) {
        from.handler(
                piece -> {
                    moved = System.nanoTime();
                    pass(from, to, piece);
                });
        from.closeHandler(closed -> loop.run(this::closed));
        from.exceptionHandler(failure -> loop.run(this::closed));
        var _ = from.resume();
    }

    private void pass(NetSocket from, NetSocket to, Buffer piece) {
        var _ = to.write(piece);
        if (to.writeQueueFull()) {
            var _ = from.pause();
            to.drainHandler(
                    room -> {
                        moved = System.nanoTime();
                        var _ = from.resume();
                    });
        }
    }

    private void closed() {
        if (!over) {
            loop.shared.figures.tunnels.decrementAndGet();
            end();
            cut.run();
        }
    }

    private void end() {
        over = true;
        loop.forget(this);
    }

    @Override
    public void look(long now) {
        boolean open = raw.response().headWritten();
        long patience =
                open
                        ? loop.shared.options.times().tunnel().toNanos()
                        : loop.shared.options.times().answer().toNanos();
        if (over || now - moved <= patience) {
            return;
        }
        if (open) {
            closed();
        } else {
            cut.run();
            refuse(Failure.LATE);
        }
    }
}
