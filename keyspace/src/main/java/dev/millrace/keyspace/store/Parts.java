package dev.millrace.keyspace.store;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.redis.Frame;
import dev.millrace.keyspace.redis.Replies;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How the parts of an entity are read along with it: the list beside it, and what is listed. */
final class Parts<P> {
    private final Reader<P> reader;
    private final Layout<P> layout;
    private final String listHead;
    private final String listTail;

    Parts(Ground ground, Cell list, Layout<P> layout) {
        if (list.listed().filter(layout::equals).isEmpty()
                || list.pattern().variables().size() != 1) {
            throw new IllegalArgumentException(
                    list.name() + " is not a list of " + layout.name() + " beside an entity.");
        }
        this.reader = new Reader<>(ground, layout);
        this.layout = layout;
        String variable = "{" + list.pattern().variables().getFirst();
        String pattern = list.pattern().text();
        int at = pattern.indexOf(variable);
        this.listHead = pattern.substring(0, at);
        this.listTail = pattern.substring(pattern.indexOf('}', at) + 1);
    }

    String listOf(String id) {
        return listHead + id + listTail;
    }

    /** Whether a part is a string. */
    boolean isText() {
        return layout.type() == KeyType.STRING;
    }

    /** The keys of these parts, as words of a command. */
    void addKeys(Frame command, Place place, List<String> ids) {
        String head = place.prefix().concat(layout.mapping().head());
        for (String id : ids) {
            command.add(head, id.concat(layout.mapping().tail()));
        }
    }

    /** Where lists and parts lie, as the scripts take it. */
    List<byte[]> listArgs(Place place) {
        return List.of(place.key(listHead), text(listTail));
    }

    List<byte[]> partArgs(Place place) {
        return List.of(
                place.key(layout.mapping().head()),
                text(layout.mapping().tail()),
                text(layout.type() == KeyType.STRING ? "s" : "h"),
                number(Whole.MOST_PARTS));
    }

    /** An entity with the parts that were read: ids and values in turn. */
    <E> Whole<E, P> whole(Stored<E> head, List<?> flat, Place place) {
        List<Stored<P>> parts = new ArrayList<>(flat.size() / 2);
        List<String> listed = new ArrayList<>(flat.size() / 2);
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            String id = Replies.textOrEmpty(flat.get(i));
            listed.add(id);
            part(id, layout.mapping().raw(flat.get(i + 1)), place).ifPresent(parts::add);
        }
        return new Whole<>(head, parts, listed);
    }

    /** One that cannot be read is left out; the check reports it. */
    private Optional<Stored<P>> part(String id, @Nullable Raw raw, Place place) {
        try {
            return raw == null ? Optional.empty() : Optional.of(reader.stored(id, raw, place));
        } catch (UndecodableException e) {
            return Optional.empty();
        }
    }
}
