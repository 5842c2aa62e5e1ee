package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.http.server.CannotListenException;
import dev.millrace.hub.http.server.TlsPair;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;

import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.net.ssl.SSLException;

/**
 * The ports of the broker. The broker could listen by itself, but would then see the first bytes
 * before anybody else, and read certificates in its own way; so it is handed connections that were
 * accepted here. Thread-safe.
 */
final class Listener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Listener.class);
    private static final int LOOPS = 2;
    private static final int WAITING = 1024;

    /** Whoever has not logged in by then does not mean to. */
    private static final int LOGIN_SECONDS = 15;

    private final Refusals refusals;
    private final int most;
    private final AtomicInteger guests = new AtomicInteger();
    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(LOOPS, NioIoHandler.newFactory());
    private final List<Channel> open = new ArrayList<>();

    /**
     * For guests, of whom there may be so many at a time. The broker would count them too, but only
     * those who have said something, and write an error into the log for each that it refuses.
     */
    Listener(Refusals refusals, int most) {
        this.refusals = refusals;
        this.most = most;
    }

    /** The certificate that is in use now. */
    static final class Tls {
        private final TlsPair pair;
        private volatile SslContext current;
        private List<FileTime> seen;

        Tls(TlsPair pair) throws SSLException {
            this.pair = pair;
            this.seen = pair.times();
            this.current = SslContextBuilder.forServer(pair.read()).build();
        }

        /** Takes up a renewed one; called now and then, by one thread. */
        void look() {
            List<FileTime> now = pair.times();
            if (now.equals(seen)) {
                return;
            }
            seen = now;
            try {
                current = SslContextBuilder.forServer(pair.read()).build();
                log.info("The certificate for MQTT was renewed. file={}", pair);
            } catch (CannotListenException | SSLException e) {
                log.warn(
                        "The new certificate cannot be used for MQTT; the old one stays. reason={}",
                        e.getMessage());
            }
        }
    }

    /**
     * Listens there for guests.
     *
     * @param acceptor of the broker, which gets who comes
     * @return at which port
     */
    int listen(NettyAcceptor acceptor, String host, int port, Optional<Tls> tls)
            throws IOException {
        return listen(
                host,
                port,
                channel -> {
                    if (fits(channel)) {
                        welcome(channel, acceptor, tls);
                    }
                });
    }

    /**
     * Listens on this machine for the hub itself, which always fits.
     *
     * @return at which port
     */
    int listenInside(NettyAcceptor acceptor) throws IOException {
        return listen(
                InetAddress.getLoopbackAddress().getHostAddress(),
                0,
                channel -> welcome(channel, acceptor, Optional.empty()));
    }

    private int listen(String host, int port, Consumer<Channel> welcome) throws IOException {
        ServerBootstrap server =
                new ServerBootstrap()
                        .group(loops)
                        .channel(NioServerSocketChannel.class)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.SO_BACKLOG, WAITING)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        welcome.accept(channel);
                                    }
                                });
        Channel listening;
        try {
            listening = server.bind(new InetSocketAddress(host, port)).sync().channel();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        open.add(listening);
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    private boolean fits(Channel channel) {
        boolean fits = guests.incrementAndGet() <= most;
        channel.closeFuture().addListener(closed -> guests.decrementAndGet());
        if (!fits) {
            refusals.note(
                    channel.remoteAddress(), "There are as many connections as there may be.");
            var _ = channel.close();
        }
        return fits;
    }

    private void welcome(Channel channel, NettyAcceptor acceptor, Optional<Tls> tls) {
        tls.ifPresent(
                there -> {
                    var handler = there.current.newHandler(channel.alloc());
                    handler.setHandshakeTimeout(LOGIN_SECONDS, TimeUnit.SECONDS);
                    channel.pipeline().addLast(handler);
                });
        channel.pipeline().addLast(new Doorstep(refusals));
        acceptor.transfer(channel);
        var _ =
                channel.eventLoop()
                        .schedule(() -> mustBeIn(channel), LOGIN_SECONDS, TimeUnit.SECONDS);
    }

    private void mustBeIn(Channel channel) {
        if (channel.isOpen() && Visitor.on(channel).equals(Visitor.NOBODY)) {
            refusals.note(channel.remoteAddress(), "It did not log in.");
            var _ = channel.close();
        }
    }

    /** Takes nobody in any more; whoever is there is the broker's to send away. */
    void stopListening() {
        open.forEach(channel -> channel.close().syncUninterruptibly());
        open.clear();
    }

    /** Only then: the broker needs these threads for what it says at last. */
    @Override
    public void close() {
        stopListening();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
