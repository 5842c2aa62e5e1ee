package dev.millrace.hub.live;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * A stretch of frames that is sent in one go, shared by all clients that are at its beginning.
 *
 * @param frames in order, perhaps none
 * @param ownMarks whether the marks of the frames hold for whoever gets it; that of the last frame
 *     is {@code mark} in every case
 * @param end the sequence number of the ring behind it
 * @param mark the place behind the last frame
 */
record Chunk(List<Frame> frames, boolean ownMarks, long end, Mark mark, Bytes bytes) {
    /** About how much is written before it is asked again whether the client keeps up. */
    static final int SIZE = 16 << 10;

    /** Made by the first client that needs them. */
    static final class Bytes {
        private byte @Nullable [] events;
    }

    static Chunk of(List<Frame> frames, boolean ownMarks, long end, Mark mark) {
        return new Chunk(List.copyOf(frames), ownMarks, end, mark, new Bytes());
    }

    static Chunk of(Frame frame, Mark mark) {
        return of(List.of(frame), true, 0, mark);
    }

    /** The mark to be sent with a frame. */
    @Nullable Mark mark(int index) {
        if (index == frames.size() - 1) {
            return mark;
        }
        return ownMarks ? frames.get(index).mark() : null;
    }

    /** All of it as server-sent events, for a client that listens to nothing else. */
    byte[] events() {
        byte[] made = bytes.events;
        if (made == null) {
            made = events("", "");
            bytes.events = made;
        }
        return made;
    }

    /** The same with the marks of the client's other feeds before and after the own one. */
    byte[] events(String before, String after) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < frames.size(); i++) {
            out.writeBytes(frames.get(i).event());
            Mark behind = mark(i);
            Frame.writeEnd(out, behind == null ? null : before + behind.text() + after);
        }
        return out.toByteArray();
    }
}
