package dev.millrace.hub.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.server.TestWeb;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The description says what is there, all of it, and nothing else. */
class OpenApiTest {
    private enum Colour {
        RED,
        BLUE
    }

    private record Part(String name, Optional<Integer> count) {}

    private record Thing(
            String name,
            Instant made,
            Duration lasts,
            boolean good,
            double weight,
            Colour colour,
            List<Part> parts,
            Map<String, Thing> inside) {}

    private final OpenApiApi api = new OpenApiApi("1.2.3");
    private final List<Route> routes =
            List.of(
                    Route.get("/things/{id}/{rest:any}")
                            .needs(Role.VIEWER, "test")
                            .about("One thing.")
                            .parameter("deep", "How deep to look.")
                            .gives(Thing.class)
                            .by(request -> Answer.empty(204)),
                    Route.put("/things/{id}/{rest:any}")
                            .needs(Role.ENGINEER, "test")
                            .about("Replaces it.")
                            .takes(Thing.class)
                            .by(request -> Answer.empty(204)),
                    Route.get("/page")
                            .forAnyone()
                            .about("A page.")
                            .givesType("text/html")
                            .by(request -> Answer.empty(204)),
                    Route.post("/own")
                            .withOwnCheck("Needs a signature.")
                            .about("Looks by itself.")
                            .by(request -> Answer.empty(204)),
                    api.routes().getFirst());

    private JsonNode document() {
        RouteTable table = new RouteTable(routes, new Owners(Owner.own("test")));
        return Json.MAPPER.readTree(OpenApi.of(table, "1.2.3"));
    }

    @Test
    void every_route_is_in_it_and_nothing_else() {
        Set<String> described = new TreeSet<>();
        document()
                .get("paths")
                .properties()
                .forEach(
                        path ->
                                path.getValue()
                                        .propertyNames()
                                        .forEach(
                                                method ->
                                                        described.add(
                                                                method.toUpperCase(Locale.ROOT)
                                                                        + " "
                                                                        + path.getKey())));
        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(
                        routes.stream()
                                .map(route -> route.method() + " " + OpenApi.path(route))
                                .toList());
        assertThat(described).contains("GET /things/{id}/{rest}", "GET /openapi.json");
    }

    @Test
    void an_operation_says_who_may_what_it_takes_and_what_it_gives() {
        JsonNode paths = document().get("paths");
        JsonNode get = paths.get("/things/{id}/{rest}").get("get");
        assertThat(get.get("summary").asString()).isEqualTo("One thing.");
        assertThat(get.get("description").asString()).isEqualTo("Needs the role viewer.");
        assertThat(get.get("security").toString()).isEqualTo("[{\"token\":[]}]");
        assertThat(get.get("parameters"))
                .extracting(each -> each.get("name").asString() + " " + each.get("in").asString())
                .containsExactly("id path", "rest path", "deep query");
        assertThat(get.at("/responses/200/content/application~1json/schema/$ref").asString())
                .isEqualTo("#/components/schemas/OpenApiTestThing");
        JsonNode put = paths.get("/things/{id}/{rest}").get("put");
        assertThat(put.at("/requestBody/required").asBoolean()).isTrue();
        JsonNode page = paths.get("/page").get("get");
        assertThat(page.at("/responses/200/content/text~1html").isMissingNode()).isFalse();
        assertThat(page.has("security")).isFalse();
        assertThat(paths.get("/own").get("post").get("description").asString())
                .isEqualTo("Needs a signature.");
    }

    @Test
    void records_are_described_once_also_when_they_hold_themselves() {
        JsonNode schemas = document().at("/components/schemas");
        JsonNode thing = schemas.get("OpenApiTestThing").get("properties");
        assertThat(thing.get("made").toString()).contains("date-time");
        assertThat(thing.get("lasts").get("type").asString()).isEqualTo("string");
        assertThat(thing.get("good").get("type").asString()).isEqualTo("boolean");
        assertThat(thing.get("weight").get("type").asString()).isEqualTo("number");
        assertThat(thing.get("colour").get("enum").toString()).isEqualTo("[\"RED\",\"BLUE\"]");
        assertThat(thing.at("/parts/items/$ref").asString()).endsWith("OpenApiTestPart");
        assertThat(thing.at("/inside/additionalProperties/$ref").asString())
                .endsWith("OpenApiTestThing");
        assertThat(schemas.at("/OpenApiTestPart/properties/count/type").asString())
                .isEqualTo("integer");
    }

    @Test
    void every_reference_leads_somewhere() {
        JsonNode document = document();
        assertThat(document.findValuesAsString("$ref"))
                .isNotEmpty()
                .allSatisfy(
                        reference ->
                                assertThat(document.at(reference.substring(1)).isMissingNode())
                                        .isFalse());
    }

    @Test
    void it_is_served() {
        api.describe(new RouteTable(routes, new Owners(Owner.own("test"))));
        try (TestWeb web = TestWeb.with(routes)) {
            assertThat(
                            Json.MAPPER
                                    .readTree(web.get("/openapi.json").body())
                                    .at("/info/version")
                                    .asString())
                    .isEqualTo("1.2.3");
        }
    }
}
