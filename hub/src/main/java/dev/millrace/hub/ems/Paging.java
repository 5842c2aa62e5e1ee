package dev.millrace.hub.ems;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Which part of a list is wanted.
 *
 * @param offset how many stand before it
 * @param size how many it has at most
 * @param sort by which member; empty if the client does not say
 * @param descending whether the largest comes first
 */
public record Paging(int offset, int size, String sort, boolean descending) {
    static final int STANDARD_SIZE = 20;
    static final int LARGEST_SIZE = 100;

    /** This part of a list that is in the order wanted already. */
    public <T> Part of(List<T> all, Function<? super T, ?> view) {
        int from = Math.min(offset, all.size());
        int to = Math.min(from + size, all.size());
        return part(all.subList(from, to).stream().map(view).toList(), all.size());
    }

    /**
     * The same, sorted as the client wants it, by one of these members; as it comes if the client
     * does not care.
     */
    public <T> Part of(
            List<T> all, Map<String, Comparator<? super T>> members, Function<? super T, ?> view) {
        if (sort.isEmpty()) {
            return of(all, view);
        }
        Comparator<? super T> by = members.get(sort);
        if (by == null) {
            throw Refused.of(
                            EmsCode.INVALID_PARAMETER,
                            "sort must be one of %s."
                                    .formatted(
                                            String.join(
                                                    ", ",
                                                    members.keySet().stream().sorted().toList())))
                    .exception();
        }
        return of(all.stream().sorted(descending ? by.reversed() : by).toList(), view);
    }

    /**
     * A part that somebody else has cut out.
     *
     * @param total how many the whole list has
     */
    public Part part(List<?> items, long total) {
        return new Part(this, items, total);
    }

    /** A part of a list, as clients read it; those of the reference read the items alone. */
    public record Part(Paging paging, List<?> items, long total) {
        public Part {
            items = List.copyOf(items);
        }

        Map<String, Object> view() {
            long pages = (total + paging.size - 1) / paging.size;
            Map<String, Object> view = new LinkedHashMap<>();
            view.put("items", items);
            view.put("total", total);
            view.put("page", paging.offset / paging.size + 1);
            view.put("size", paging.size);
            view.put("total_pages", pages);
            view.put("has_previous", paging.offset > 0);
            view.put("has_next", paging.offset + (long) paging.size < total);
            return view;
        }
    }
}
