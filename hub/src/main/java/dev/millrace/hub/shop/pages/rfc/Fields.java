package dev.millrace.hub.shop.pages.rfc;

import dev.millrace.hub.http.Header;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The headers of a request or an answer, in their order. Immutable. */
public final class Fields {
    private final List<Header> all;

    public Fields(List<Header> all) {
        this.all = List.copyOf(all);
    }

    public List<Header> all() {
        return all;
    }

    public boolean has(String name) {
        return first(name).isPresent();
    }

    public Optional<String> first(String name) {
        for (Header each : all) {
            if (each.name().equalsIgnoreCase(name)) {
                return Optional.of(each.value());
            }
        }
        return Optional.empty();
    }

    public List<String> values(String name) {
        List<String> values = new ArrayList<>();
        for (Header each : all) {
            if (each.name().equalsIgnoreCase(name)) {
                values.add(each.value());
            }
        }
        return values;
    }

    /** All values of one name as one list, as HTTP allows to write it; empty if there is none. */
    public String joined(String name) {
        return String.join(", ", values(name));
    }

    /** The members of a comma-separated header, in small letters. */
    public List<String> members(String name) {
        List<String> members = new ArrayList<>();
        for (String part : joined(name).split(",", -1)) {
            String member = part.strip();
            if (!member.isEmpty()) {
                members.add(member.toLowerCase(Locale.ROOT));
            }
        }
        return members;
    }

    /** Those whose names, in small letters, are not among these. */
    public Fields without(Set<String> names) {
        return new Fields(
                all.stream()
                        .filter(each -> !names.contains(each.name().toLowerCase(Locale.ROOT)))
                        .toList());
    }

    /** With one more. */
    public Fields with(String name, String value) {
        List<Header> more = new ArrayList<>(all);
        more.add(new Header(name, value));
        return new Fields(more);
    }
}
