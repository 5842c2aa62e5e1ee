package dev.millrace.hub.mqtt.embedded;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Lets in only what begins as MQTT does, with a CONNECT. Behind it the broker would look for other
 * protocols too: it would collect an HTTP request of any size in memory, and talk by WebSocket with
 * a page of any site, past all that {@code /eventbus} asks first.
 */
final class Doorstep extends ChannelInboundHandlerAdapter {
    private static final int CONNECT = 0x10;

    private final Refusals refusals;

    Doorstep(Refusals refusals) {
        this.refusals = refusals;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes && bytes.isReadable()) {
            if (bytes.getUnsignedByte(bytes.readerIndex()) != CONNECT) {
                ReferenceCountUtil.release(message);
                turnAway(context, "What it sent does not begin as MQTT does.");
                return;
            }
            context.pipeline().remove(this);
        }
        context.fireChannelRead(message);
    }

    /** TLS that did not come about. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        turnAway(context, "No TLS came about.");
    }

    private void turnAway(ChannelHandlerContext context, String reason) {
        refusals.note(context.channel().remoteAddress(), reason);
        context.close();
    }
}
