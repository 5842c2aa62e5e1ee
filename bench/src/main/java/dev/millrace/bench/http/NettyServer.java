package dev.millrace.bench.http;

import dev.millrace.bench.commit.Event;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Netty and nothing else: its HTTP codec and a handler that knows three paths, without limits,
 * deadlines, access or figures. It stores through the same engine, so that only the HTTP layer
 * differs.
 */
final class NettyServer {
    private NettyServer() {}

    static int start(String redis) {
        Keyspace keyspace =
                new Keyspace(Redis.open(RedisOptions.of(redis)), Keyspace.catalogue(Event.LAYOUT));
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        Class<? extends ServerChannel> channel =
                epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        // As many as the hub's web server has.
        int loops = Math.min(8, Runtime.getRuntime().availableProcessors());
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(loops, io);
        return ((InetSocketAddress)
                        new ServerBootstrap()
                                .group(group)
                                .channel(channel)
                                .option(ChannelOption.SO_BACKLOG, 4096)
                                .childOption(ChannelOption.TCP_NODELAY, true)
                                .childHandler(
                                        new ChannelInitializer<SocketChannel>() {
                                            @Override
                                            protected void initChannel(SocketChannel accepted) {
                                                accepted.pipeline()
                                                        .addLast(
                                                                new HttpServerCodec(),
                                                                new NettyHandler(keyspace));
                                            }
                                        })
                                .bind(InetAddress.getLoopbackAddress(), 0)
                                .syncUninterruptibly()
                                .channel()
                                .localAddress())
                .getPort();
    }
}
