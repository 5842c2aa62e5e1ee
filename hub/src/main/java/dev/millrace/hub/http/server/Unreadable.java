package dev.millrace.hub.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.RequestId;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;

/**
 * Answers what could not be read as HTTP, or is of a version that nobody speaks; no path is known,
 * so nobody owns it. The library would begin its answer with the version that it was sent, whatever
 * that is, so this one is written by hand. Then the connection is closed.
 */
final class Unreadable {
    private Unreadable() {}

    static void answer(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        Code code =
                switch (cause) {
                    case TooLongHttpLineException line -> Code.PATH_TOO_LONG;
                    case TooLongHttpHeaderException headers -> Code.HEADERS_TOO_LARGE;
                    case null, default -> Code.BAD_REQUEST;
                };
        answer(request, code);
    }

    static void answer(HttpServerRequest request, Code code) {
        Answer answer = ErrorShape.OURS.of(Problem.of(code), "", RequestId.of(null));
        if (request.connection() instanceof HttpServerConnection connection
                && answer.body() instanceof Answer.Body.Whole(byte[] body)) {
            ChannelHandlerContext encoder =
                    connection
                            .channelHandlerContext()
                            .pipeline()
                            .context(HttpResponseEncoder.class);
            if (encoder != null) {
                byte[] head = head(code, answer, body.length);
                var _ = encoder.writeAndFlush(Unpooled.wrappedBuffer(head, body));
            }
        }
        request.connection().close();
    }

    private static byte[] head(Code code, Answer answer, int length) {
        HttpResponseStatus status = HttpResponseStatus.valueOf(code.status());
        return String.join(
                        "\r\n",
                        "HTTP/1.1 %d %s".formatted(status.code(), status.reasonPhrase()),
                        "Content-Type: " + answer.headers().getFirst().value(),
                        "Content-Length: " + length,
                        "Connection: close",
                        "X-Content-Type-Options: nosniff",
                        "Cache-Control: no-store",
                        "",
                        "")
                .getBytes(US_ASCII);
    }
}
