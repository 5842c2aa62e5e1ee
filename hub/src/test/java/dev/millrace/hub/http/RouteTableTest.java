package dev.millrace.hub.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Stream;

/** Which route a request takes, and whose a path is. */
class RouteTableTest {
    private static final Owner OWN = Owner.own("own");
    private static final Owner OTHER =
            Owner.compatible(
                    "other", (problem, path, id) -> Answer.text(problem.code().status(), "x"));

    private final RouteTable table =
            table(
                    get("/things/{id}"),
                    get("/things/all"),
                    get("/things/{id}/parts/{part:any}"),
                    get("/things/{n:digits}/number"),
                    get("/things/{id}/number"),
                    Route.put("/things/all")
                            .forAnyone()
                            .about("x")
                            .by(request -> Answer.empty(204)),
                    Route.delete("/things/{id}")
                            .forAnyone()
                            .about("x")
                            .by(request -> Answer.empty(204)),
                    get("/items/{item:slashed}"),
                    get("/items/{item:slashed}/price"),
                    get("/other/one"),
                    get("/"));

    private static Route get(String path) {
        return Route.get(path).forAnyone().about("x").by(request -> Answer.empty(204));
    }

    private static RouteTable table(Route... routes) {
        return new RouteTable(
                List.of(routes),
                new Owners(OWN).below(OTHER, "/other").exactly(OWN, "/other/exact"));
    }

    private String found(Method method, String path) {
        return switch (table.find(method, path)) {
            case RouteTable.Match.Found found ->
                    found.entry().route().name()
                            + Stream.of(found.values())
                                    .limit(found.entry().variables().size())
                                    .toList();
            case RouteTable.Match.OtherMethods(var allowed) -> "only " + allowed;
            case RouteTable.Match.Nothing() -> "nothing";
        };
    }

    @Test
    void a_name_may_have_slashes_if_the_route_says_so() {
        assertThat(found(Method.GET, "/items/a/b")).isEqualTo("GET /items/{item:slashed}[a/b]");
        assertThat(found(Method.GET, "/items//")).isEqualTo("GET /items/{item:slashed}[/]");
        assertThat(found(Method.GET, "/items/")).isEqualTo("nothing");
        assertThat(found(Method.GET, "/items/a/price"))
                .isEqualTo("GET /items/{item:slashed}/price[a]");
        assertThat(found(Method.GET, "/items/a/price/price"))
                .isEqualTo("GET /items/{item:slashed}/price[a/price]");
        assertThat(found(Method.GET, "/items" + "/x".repeat(4000))).isEqualTo("nothing");
    }

    @Test
    void fixed_text_counts_before_variables_and_narrow_ones_before_wide_ones() {
        assertThat(found(Method.GET, "/things/all")).isEqualTo("GET /things/all[]");
        assertThat(found(Method.GET, "/things/7")).isEqualTo("GET /things/{id}[7]");
        assertThat(found(Method.GET, "/things/7/number"))
                .isEqualTo("GET /things/{n:digits}/number[7]");
        assertThat(found(Method.GET, "/things/x/number")).isEqualTo("GET /things/{id}/number[x]");
        assertThat(found(Method.GET, "/")).isEqualTo("GET /[]");
    }

    @Test
    void a_way_that_leads_nowhere_is_gone_back() {
        assertThat(found(Method.GET, "/things/all/number"))
                .isEqualTo("GET /things/{id}/number[all]");
        assertThat(found(Method.GET, "/things/7/parts/x"))
                .isEqualTo("GET /things/{id}/parts/{part:any}[7, x]");
        assertThat(found(Method.DELETE, "/things/all")).isEqualTo("DELETE /things/{id}[all]");
    }

    @Test
    void empty_segments_and_dots_are_segments_like_others() {
        assertThat(found(Method.GET, "/things/")).isEqualTo("nothing");
        assertThat(found(Method.GET, "//things/7")).isEqualTo("nothing");
        assertThat(found(Method.GET, "/things/7/")).isEqualTo("nothing");
        assertThat(found(Method.GET, "/things/..")).isEqualTo("GET /things/{id}[..]");
        assertThat(found(Method.GET, "/things/7/parts/"))
                .isEqualTo("GET /things/{id}/parts/{part:any}[7, ]");
        assertThat(found(Method.GET, "")).isEqualTo("GET /[]");
    }

    @Test
    void other_methods_are_named_in_order_and_all_of_them() {
        assertThat(found(Method.POST, "/things/all")).isEqualTo("only [DELETE, GET, HEAD, PUT]");
        assertThat(found(null, "/things/7")).isEqualTo("only [DELETE, GET, HEAD]");
        assertThat(found(Method.POST, "/other/one")).isEqualTo("only [GET]");
    }

    @Test
    void head_is_get_only_where_the_owner_says_so() {
        assertThat(found(Method.HEAD, "/things/all")).isEqualTo("GET /things/all[]");
        assertThat(found(Method.HEAD, "/other/one")).isEqualTo("only [GET]");
    }

    @Test
    void a_path_belongs_to_its_longest_prefix_by_whole_segments() {
        assertThat(table.owner("/other")).isEqualTo(OTHER);
        assertThat(table.owner("/other/x/y")).isEqualTo(OTHER);
        assertThat(table.owner("/other/")).isEqualTo(OTHER);
        assertThat(table.owner("/otherwise")).isEqualTo(OWN);
        assertThat(table.owner("/other/exact")).isEqualTo(OWN);
        assertThat(table.owner("/other/exact/below")).isEqualTo(OTHER);
        assertThat(table.owner("//other")).isEqualTo(OWN);
        assertThat(table.owner("")).isEqualTo(OWN);
    }

    @Test
    void what_cannot_be_meant_is_refused_when_the_table_is_made() {
        assertThatThrownBy(() -> table(get("/a/{x}"), get("/a/{y}")))
                .hasMessage("Two routes for GET /a/{y}");
        assertThatThrownBy(() -> table(get("/a/{x:letters}")))
                .hasMessage("An unknown variable in GET /a/{x:letters}");
        assertThatThrownBy(() -> Route.get("/a").forAnyone().by(request -> Answer.empty(204)))
                .hasMessageContaining("GET /a does not say");
        assertThatThrownBy(() -> Route.get("/a").about("x").by(request -> Answer.empty(204)))
                .hasMessageContaining("GET /a does not say");
    }
}
