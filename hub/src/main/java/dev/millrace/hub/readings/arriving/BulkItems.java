package dev.millrace.hub.readings.arriving;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.InputCoercionException;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The events of a body, one after the other. What is wrong with one does not concern the others.
 */
public sealed interface BulkItems {
    /** No event is longer, so that nobody fills our memory with one. */
    int LONGEST = 4 << 20;

    /** What comes next in the body. */
    sealed interface Item {
        record Event(NewEvent event) implements Item {}

        /** No event; the next one may be. */
        record Bad(Refused why) implements Item {}

        /** Nothing behind this place can be understood. */
        record Broken(Refused why) implements Item {}

        record End() implements Item {}
    }

    Item next() throws IOException;

    private static Refused tooLong() {
        return new Refused.TooLarge("One event takes at most %d bytes.".formatted(LONGEST));
    }

    /** One event a line. A line that is not JSON does not hide the next. */
    final class Lines implements BulkItems {
        private final InputStream body;
        private final byte[] buffer = new byte[64 << 10];
        private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
        private int at;
        private int end;

        public Lines(InputStream body) {
            this.body = body;
        }

        @Override
        public Item next() throws IOException {
            while (true) {
                byte[] line = line();
                if (line == null) {
                    return new Item.End();
                }
                if (line.length > LONGEST) {
                    return new Item.Bad(tooLong());
                }
                if (!isBlank(line)) {
                    return event(line);
                }
            }
        }

        private static Item event(byte[] line) {
            try {
                return new Item.Event(Bodies.event(line));
            } catch (RefusedException e) {
                return new Item.Bad(e.why());
            }
        }

        private static boolean isBlank(byte[] line) {
            for (byte each : line) {
                if (each != ' ' && each != '\t' && each != '\r') {
                    return false;
                }
            }
            return true;
        }

        /** The next line without its end; of one that is too long, the beginning. */
        private byte @Nullable [] line() throws IOException {
            begun.reset();
            while (true) {
                if (at == end) {
                    at = 0;
                    end = body.read(buffer);
                    if (end < 0) {
                        end = 0;
                        return begun.size() == 0 ? null : begun.toByteArray();
                    }
                }
                int stop = at;
                while (stop < end && buffer[stop] != '\n') {
                    stop++;
                }
                if (begun.size() <= LONGEST) {
                    begun.write(buffer, at, stop - at);
                }
                boolean whole = stop < end;
                at = whole ? stop + 1 : stop;
                if (whole) {
                    return begun.toByteArray();
                }
            }
        }
    }

    /**
     * A JSON array of events. What is not JSON ends it: nobody knows where the next would begin.
     */
    final class Array implements BulkItems {
        private final Measured body;

        /** Made with the first item: that reads already, and what is read may be spoiled. */
        private @Nullable JsonParser begun;

        private boolean over;

        public Array(InputStream body) {
            this.body = new Measured(body);
        }

        @Override
        public Item next() throws IOException {
            if (over) {
                return new Item.End();
            }
            body.since = 0;
            try {
                JsonParser parser = parser();
                JsonToken token = parser.nextToken();
                if (token == JsonToken.END_ARRAY) {
                    over = true;
                    return new Item.End();
                }
                return event(parser);
            } catch (JacksonException e) {
                over = true;
                if (e.getCause() instanceof IOException failure
                        && !(failure instanceof TooLongException)) {
                    throw failure;
                }
                return new Item.Broken(
                        e.getCause() instanceof TooLongException
                                ? tooLong()
                                : new Refused.Invalid(Json.sentence(e)));
            }
        }

        private JsonParser parser() {
            JsonParser parser = begun;
            if (parser == null) {
                parser = EdgexJson.MAPPER.createParser(body);
                begun = parser;
                parser.nextToken();
            }
            return parser;
        }

        private static Item event(JsonParser parser) {
            int depth = parser.streamReadContext().getNestingDepth();
            int outside = parser.currentToken().isStructStart() ? depth - 1 : depth;
            try {
                return new Item.Event(EventReader.next(parser));
            } catch (EventReader.BadEventException | InputCoercionException e) {
                Refused why = new Refused.Invalid(Json.sentence(e));
                while (parser.streamReadContext().getNestingDepth() > outside) {
                    parser.nextToken();
                }
                return new Item.Bad(why);
            }
        }
    }

    /** Counts the bytes of one event. */
    final class Measured extends FilterInputStream {
        private long since;

        Measured(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            throw new UnsupportedOperationException("Read by the buffer only.");
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            int count = super.read(target, from, length);
            since += count;
            if (since > LONGEST) {
                throw new TooLongException();
            }
            return count;
        }
    }

    /** One event is longer than anything here. */
    final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
