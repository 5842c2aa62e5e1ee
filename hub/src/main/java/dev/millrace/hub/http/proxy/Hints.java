package dev.millrace.hub.http.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpClientConnection;

/**
 * What an application says before its answer (status 100, 102, 103 …) ends here. The library takes
 * those that it does not know for answers, and the answer then for that of the next request, which
 * is somebody else's.
 */
final class Hints extends ChannelInboundHandlerAdapter {
    private static final int SWITCHING = 101;

    private boolean inHint;

    private Hints() {}

    /** From now on, for a connection to an application that was just made. */
    static void leaveOut(HttpConnection connection) {
        if (connection instanceof HttpClientConnection client) {
            ChannelHandlerContext library = client.channelHandlerContext();
            library.pipeline().addBefore(library.name(), "hints", new Hints());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpResponse response) {
            inHint =
                    response.status().codeClass() == HttpStatusClass.INFORMATIONAL
                            && response.status().code() != SWITCHING;
        }
        if (!inHint || !(message instanceof HttpResponse || message instanceof HttpContent)) {
            context.fireChannelRead(message);
            return;
        }
        inHint = !(message instanceof LastHttpContent);
        ReferenceCountUtil.release(message);
    }
}
