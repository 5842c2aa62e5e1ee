package dev.millrace.hub.mqtt.embedded;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;

import java.util.List;

/**
 * Gives the decoder behind it whole packets, one at a time. The decoder itself reads on into
 * whatever follows when a length inside of a packet says so: the client would wait for an answer to
 * a packet that never ends, and its next ones would be taken for a part of it. Here, a packet of
 * which nothing was understood although all of it is there is a broken one.
 *
 * <p>On the event loop of the connection.
 */
final class Frames extends ByteToMessageDecoder {
    private static final int LENGTH_BYTES = 4;

    private final int largest;
    private final GuestLine line;

    Frames(int largest, GuestLine line) {
        this.largest = largest;
        this.line = line;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int begin = in.readerIndex();
        int length = 0;
        int head = 1;
        boolean more = true;
        while (more && head <= LENGTH_BYTES) {
            if (in.readableBytes() <= head) {
                return;
            }
            int each = in.getUnsignedByte(begin + head);
            length |= (each & 127) << (7 * (head - 1));
            more = each > 127;
            head++;
        }
        // What is too large, or has no length, the decoder refuses when it has seen its head.
        boolean impossible = more || length > largest;
        if (!impossible && in.readableBytes() - head < length) {
            return;
        }
        int heard = line.heard();
        context.fireChannelRead(
                in.readRetainedSlice(impossible ? in.readableBytes() : head + length));
        if (line.heard() == heard) {
            line.notUnderstood();
        }
    }
}
