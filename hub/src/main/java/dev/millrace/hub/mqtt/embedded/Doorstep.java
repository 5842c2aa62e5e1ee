package dev.millrace.hub.mqtt.embedded;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

import java.util.Optional;

/**
 * Lets in only what begins as MQTT does, with a CONNECT of a sensible size. Behind it the broker
 * would look for other protocols too: it would collect an HTTP request of any size in memory, and
 * talk by WebSocket with a page of any site, past all that {@code /eventbus} asks first. A
 * connection that breaks is closed here; the broker would write an error into the log for it.
 */
final class Doorstep extends ChannelInboundHandlerAdapter {
    private static final int CONNECT = 0x10;

    /** Anybody may send one, and all of it is kept in memory until it has come. */
    private static final int LARGEST_CONNECT = 64 << 10;

    private static final int LENGTH_BYTES = 4;

    private final Refusals refusals;

    /** Bytes that were looked at. */
    private int seen;

    private int length;
    private boolean begun;

    Doorstep(Refusals refusals) {
        this.refusals = refusals;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Optional<String> wrong =
                !begun && message instanceof ByteBuf bytes ? look(bytes) : Optional.empty();
        if (wrong.isPresent()) {
            ReferenceCountUtil.release(message);
            refusals.note(context.channel().remoteAddress(), wrong.get());
            var _ = context.close();
        } else {
            context.fireChannelRead(message);
        }
    }

    private Optional<String> look(ByteBuf bytes) {
        for (int i = bytes.readerIndex(); i < bytes.writerIndex() && !begun; i++) {
            int each = bytes.getUnsignedByte(i);
            if (seen == 0 && each != CONNECT) {
                return Optional.of("What it sent does not begin as MQTT does.");
            }
            if (seen > 0) {
                length |= (each & 127) << (7 * (seen - 1));
                begun = each < 128 || seen == LENGTH_BYTES;
            }
            seen++;
        }
        return length > LARGEST_CONNECT
                ? Optional.of("It wants to log in with %d bytes.".formatted(length))
                : Optional.empty();
    }

    /** TLS that did not come about, or a connection that was cut. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!begun) {
            refusals.note(context.channel().remoteAddress(), "No conversation came about.");
        }
        var _ = context.close();
    }
}
