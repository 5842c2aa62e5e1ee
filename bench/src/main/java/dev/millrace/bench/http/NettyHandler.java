package dev.millrace.bench.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.bench.commit.Event;
import dev.millrace.keyspace.Keyspace;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;

import tools.jackson.databind.json.JsonMapper;

/** The three workloads on one connection. */
final class NettyHandler extends ChannelInboundHandlerAdapter {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Keyspace keyspace;
    private String uri = "";
    private ByteBuf body = Unpooled.EMPTY_BUFFER;

    NettyHandler(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof HttpRequest request) {
                uri = request.uri();
            }
            if (message instanceof HttpContent content) {
                ByteBuf piece = content.content();
                if (piece.isReadable()) {
                    body = Unpooled.wrappedBuffer(body, piece.retain());
                }
                if (message instanceof LastHttpContent) {
                    answer(context);
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void answer(ChannelHandlerContext context) {
        byte[] bytes = ByteBufUtil.getBytes(body);
        body.release();
        body = Unpooled.EMPTY_BUFFER;
        if (uri.equals(Workload.EMPTY.path())) {
            context.write(
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.NO_CONTENT,
                            Unpooled.EMPTY_BUFFER));
        } else if (uri.equals(Workload.ECHO.path())) {
            Event event = MAPPER.readValue(bytes, Event.class);
            context.write(
                    response(
                            HttpResponseStatus.OK,
                            HttpHeaderValues.APPLICATION_JSON,
                            MAPPER.writeValueAsBytes(event)));
        } else if (uri.equals(Workload.COMMIT.path())) {
            store(context, Workload.arrived(MAPPER.readValue(bytes, Event.class)));
        } else {
            context.write(
                    response(
                            HttpResponseStatus.NOT_FOUND,
                            HttpHeaderValues.TEXT_PLAIN,
                            new byte[0]));
        }
    }

    private void store(ChannelHandlerContext context, Event event) {
        keyspace.commit(event.device())
                .create(Event.LAYOUT, event)
                .send()
                .whenComplete(
                        (outcome, failure) -> {
                            if (failure == null && outcome.isStored()) {
                                context.writeAndFlush(
                                        response(
                                                HttpResponseStatus.CREATED,
                                                HttpHeaderValues.TEXT_PLAIN,
                                                event.id().getBytes(US_ASCII)));
                            } else {
                                context.close();
                            }
                        });
    }

    private static FullHttpResponse response(
            HttpResponseStatus status, AsciiString type, byte[] bytes) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(bytes));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, type)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
        return response;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
