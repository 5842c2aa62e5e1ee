package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import dev.millrace.hub.http.Json;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Sessions, views, carts and cached rows. */
final class ShopSamples {
    private static final String SESSION = "/shop/sessions/{token}";
    private static final String CART = "/shop/carts/{token}";

    private static final AtomicInteger NEXT = new AtomicInteger();

    private ShopSamples() {}

    private static String session(Stage stage) {
        String made = stage.prepare("POST", "/shop/sessions", "{\"user\":\"ada\"}");
        return "/shop/sessions/" + Json.MAPPER.readTree(made).get("token").asString();
    }

    private static String viewing(Stage stage) {
        String session = session(stage);
        stage.prepare("POST", session + "/views", "{\"item\":\"item1\"}");
        return session;
    }

    private static String cart(Stage stage) {
        String cart = "/shop/carts/" + stage.fresh("a-token-of-a-cart");
        stage.prepare("PUT", cart + "/items/item1", "{\"quantity\":3}");
        return cart;
    }

    private static Sample at(Function<Stage, String> of, String path, String body) {
        return changes(stage -> Call.of(of.apply(stage) + path, body));
    }

    static void put(Map<String, Sample> all) {
        sessions(all);
        views(all);
        carts(all);
        rows(all);
    }

    private static void sessions(Map<String, Sample> all) {
        all.put("POST /shop/sessions", changes(stage -> Call.of("/shop/sessions", "{}")));
        all.put("GET " + SESSION, reads(stage -> Call.of(session(stage))));
        all.put("PUT " + SESSION, at(ShopSamples::session, "", "{\"user\":\"bob\"}"));
        all.put("PATCH " + SESSION, at(ShopSamples::session, "", "{\"theme\":\"dark\"}"));
        all.put("POST " + SESSION + "/rotate", at(ShopSamples::session, "/rotate", "{}"));
        all.put("DELETE " + SESSION, at(ShopSamples::session, "", ""));
        all.put("GET /shop/sessions", reads("/shop/sessions"));
        all.put("GET /shop/stats", reads("/shop/stats"));
        all.put("GET /shop/sessions/stats", reads("/shop/sessions/stats"));
        all.put(
                "POST /shop/sessions/clean",
                changes(
                        stage -> {
                            session(stage);
                            return Call.of("/shop/sessions/clean", "{\"limit\":0,\"batch\":1000}");
                        }));
        String user = "/shop/users/{user:slashed}/sessions";
        all.put("GET " + user, reads("/shop/users/ada/sessions"));
        all.put(
                "DELETE " + user,
                changes(
                        stage -> {
                            session(stage);
                            return Call.of("/shop/users/ada/sessions");
                        }));
    }

    private static void views(Map<String, Sample> all) {
        String views = SESSION + "/views";
        all.put("POST " + views, at(ShopSamples::session, "/views", "{\"item\":\"item1\"}"));
        all.put("GET " + views, reads(stage -> Call.of(viewing(stage) + "/views")));
        all.put("DELETE " + views, at(ShopSamples::viewing, "/views", ""));
        all.put(
                "DELETE " + views + "/{item:slashed}",
                at(ShopSamples::viewing, "/views/item1", ""));
        all.put("GET /shop/items/popular", reads("/shop/items/popular"));
        all.put("GET /shop/items/{item:slashed}/popularity", reads("/shop/items/item1/popularity"));
        all.put(
                "POST /shop/popularity/rescale",
                changes(
                        stage -> {
                            viewing(stage);
                            return Call.of("/shop/popularity/rescale");
                        }));
    }

    private static String row(Stage stage) {
        String row = "/shop/rows/inv/" + NEXT.incrementAndGet();
        stage.prepare("GET", row, "");
        return row;
    }

    private static String scheduled(Stage stage) {
        String row = row(stage);
        stage.prepare("PUT", row + "/schedule", "{\"delay\":86400}");
        return row;
    }

    private static void rows(Map<String, Sample> all) {
        String one = "/shop/rows/{table}/{id:slashed}";
        all.put("GET " + one, reads(stage -> Call.of(row(stage))));
        all.put(
                "POST /shop/rows/{table}/get",
                reads(
                        stage -> {
                            String row = row(stage);
                            return Call.of(
                                    "/shop/rows/inv/get",
                                    "{\"ids\":[\"%s\"]}"
                                            .formatted(row.substring(row.lastIndexOf('/') + 1)));
                        }));
        all.put("POST " + one + "/refresh", at(ShopSamples::row, "/refresh", ""));
        all.put("POST " + one + "/invalidate", at(ShopSamples::row, "/invalidate", ""));
        all.put("GET /shop/rows/schedule", reads("/shop/rows/schedule"));
        all.put("PUT " + one + "/schedule", at(ShopSamples::row, "/schedule", "{\"delay\":86400}"));
        all.put(
                "GET " + one + "/schedule",
                reads(stage -> Call.of(scheduled(stage) + "/schedule")));
        all.put("DELETE " + one + "/schedule", at(ShopSamples::scheduled, "/schedule", ""));
    }

    private static void carts(Map<String, Sample> all) {
        String line = CART + "/items/{item:slashed}";
        all.put("GET " + CART, reads(stage -> Call.of(cart(stage))));
        all.put(
                "PUT " + CART,
                at(ShopSamples::cart, "", "{\"items\":[{\"item\":\"item2\",\"quantity\":1}]}"));
        all.put("DELETE " + CART, at(ShopSamples::cart, "", ""));
        all.put("PUT " + line, at(ShopSamples::cart, "/items/item1", "{\"quantity\":7}"));
        all.put("POST " + line, at(ShopSamples::cart, "/items/item1", "{\"add\":1}"));
        all.put("DELETE " + line, at(ShopSamples::cart, "/items/item1", ""));
        all.put(
                "POST " + CART + "/merge",
                changes(
                        stage -> {
                            String other = cart(stage);
                            return Call.of(
                                    cart(stage) + "/merge",
                                    "{\"from\":\"%s\"}"
                                            .formatted(
                                                    other.substring(other.lastIndexOf('/') + 1)));
                        }));
    }
}
