package dev.millrace.hub.http.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;

/** Answers what could not be read as HTTP, and closes the connection. */
final class Unreadable {
    private Unreadable() {}

    static void answer(HttpServerRequest request) {
        String status =
                switch (request.decoderResult().cause()) {
                    case TooLongHttpLineException line -> "414 URI Too Long";
                    case TooLongHttpHeaderException headers ->
                            "431 Request Header Fields Too Large";
                    case null, default -> "400 Bad Request";
                };
        if (request.connection() instanceof HttpServerConnection connection) {
            ChannelHandlerContext encoder =
                    connection
                            .channelHandlerContext()
                            .pipeline()
                            .context(HttpResponseEncoder.class);
            if (encoder != null) {
                String head =
                        "HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\nCache-Control: no-store\r\n\r\n"
                                .formatted(status);
                var _ = encoder.writeAndFlush(Unpooled.wrappedBuffer(head.getBytes(US_ASCII)));
            }
        }
        var _ = request.connection().close();
    }
}
