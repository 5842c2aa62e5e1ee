package dev.millrace.hub.settings;

import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;

import java.io.Serial;
import java.util.Iterator;

/**
 * What a YAML text says, piece by piece, in the library's own events: they know the line that they
 * stand in, and what is named or repeated there, which the values made of them would not.
 */
final class YamlEvents {
    static final String NOT_YAML =
            "this is not valid YAML; look at the indentation, quotes and colons around this line.";

    private static final LoadSettings SETTINGS = LoadSettings.builder().build();
    private static final ScalarResolver TYPES = new CoreScalarResolver(false);

    private final Iterator<Event> events;

    YamlEvents(String text) {
        this.events = new Parse(SETTINGS).parseString(text).iterator();
    }

    /** What comes next; nothing at the end of the text. */
    @Nullable Event next() {
        while (events.hasNext()) {
            switch (events.next()) {
                case StreamStartEvent begins -> {}
                case DocumentStartEvent begins -> {}
                case DocumentEndEvent ends -> {}
                case StreamEndEvent ends -> {}
                case Event event -> {
                    return event;
                }
            }
        }
        return null;
    }

    /** What comes next in a group or a list; nothing at its end. */
    @Nullable Event inside() {
        Event event = next();
        return event instanceof CollectionEndEvent ? null : event;
    }

    /** The name of the next member of a group; nothing at its end. */
    @Nullable ScalarEvent name() {
        Event event = inside();
        if (event == null || event instanceof ScalarEvent) {
            return (ScalarEvent) event;
        }
        throw new NotAName(line(event));
    }

    /** The value that follows a name. */
    Event value() {
        Event event = next();
        if (event == null) {
            throw new IllegalStateException("The library ends a text within a group.");
        }
        return event;
    }

    /** Passes over all that an event begins. */
    void skip(Event event) {
        int open = event instanceof CollectionStartEvent ? 1 : 0;
        while (open > 0) {
            Event next = value();
            open += next instanceof CollectionStartEvent ? 1 : 0;
            open -= next instanceof CollectionEndEvent ? 1 : 0;
        }
    }

    static boolean isNothing(ScalarEvent scalar) {
        return type(scalar).equals(Tag.NULL);
    }

    static boolean isNumber(ScalarEvent scalar) {
        Tag type = type(scalar);
        return type.equals(Tag.INT) || type.equals(Tag.FLOAT);
    }

    private static Tag type(ScalarEvent scalar) {
        return scalar.isPlain() ? TYPES.resolve(scalar.getValue(), true) : Tag.STR;
    }

    static int line(Event event) {
        return event.getStartMark().map(YamlEvents::line).orElse(1);
    }

    /** The library's own message would show the line, and with it what is written there. */
    static int lineOf(YamlEngineException e) {
        return switch (e) {
            case NotAName wrong -> wrong.line;
            case MarkedYamlEngineException marked ->
                    marked.getProblemMark()
                            .or(marked::getContextMark)
                            .map(YamlEvents::line)
                            .orElse(1);
            default -> 1;
        };
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }

    /** YAML may have groups and lists as names; no setting is called like that. */
    private static final class NotAName extends YamlEngineException {
        @Serial private static final long serialVersionUID = 1L;

        private final int line;

        NotAName(int line) {
            super("A name is a group, a list or a reference.");
            this.line = line;
        }
    }
}
