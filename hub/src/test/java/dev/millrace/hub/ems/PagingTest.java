package dev.millrace.hub.ems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Which part of a list is shown, and what is said about the others. */
class PagingTest {
    private static final List<Integer> ALL = IntStream.range(0, 45).boxed().toList();
    private static final Map<String, Comparator<? super Integer>> ORDERS =
            Map.of("number", Comparator.naturalOrder(), "last", Comparator.comparing(i -> i % 10));

    @ParameterizedTest
    @CsvSource({
        // offset, size, first, items, page, pages, previous, next
        "0, 20, 0, 20, 1, 3, false, true",
        "20, 20, 20, 20, 2, 3, true, true",
        "40, 20, 40, 5, 3, 3, true, false",
        "60, 20, , 0, 4, 3, true, false",
        "0, 45, 0, 45, 1, 1, false, false",
        "44, 1, 44, 1, 45, 45, true, false",
        "7, 20, 7, 20, 1, 3, true, true",
        "25, 20, 25, 20, 2, 3, true, false",
        "2147483647, 100, , 0, 21474837, 1, true, false",
    })
    void a_part_says_where_it_is(
            int offset,
            int size,
            Integer first,
            int items,
            int page,
            int pages,
            boolean previous,
            boolean next) {
        Paging.Part part = new Paging(offset, size, "", false).of(ALL, each -> each);
        Map<String, Object> view = part.view();
        assertThat(part.items()).hasSize(items);
        if (first != null) {
            assertThat(part.items().getFirst()).isEqualTo(first);
        }
        assertThat(view)
                .containsEntry("total", 45L)
                .containsEntry("page", page)
                .containsEntry("size", size)
                .containsEntry("total_pages", (long) pages)
                .containsEntry("has_previous", previous)
                .containsEntry("has_next", next);
    }

    @Test
    void nothing_is_one_page_without_neighbours() {
        Map<String, Object> view = new Paging(0, 20, "", false).of(List.of(), each -> each).view();
        assertThat(view)
                .containsEntry("total_pages", 0L)
                .containsEntry("has_previous", false)
                .containsEntry("has_next", false);
    }

    @Test
    void it_is_sorted_by_what_is_asked_for_before_it_is_cut() {
        assertThat(new Paging(0, 3, "number", true).of(ALL, ORDERS, each -> each).items())
                .isEqualTo(List.of(44, 43, 42));
        assertThat(new Paging(0, 3, "last", false).of(ALL, ORDERS, each -> each).items())
                .isEqualTo(List.of(0, 10, 20));
        assertThat(new Paging(0, 3, "", true).of(ALL, ORDERS, each -> each).items())
                .isEqualTo(List.of(0, 1, 2));
        assertThatThrownBy(() -> new Paging(0, 3, "colour", false).of(ALL, ORDERS, each -> each))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        e -> assertThat(e.why().message()).contains("last, number"));
    }
}
