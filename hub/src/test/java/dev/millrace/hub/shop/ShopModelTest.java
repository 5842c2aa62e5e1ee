package dev.millrace.hub.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/** Random visits, carts, merges and restarts beside a plain model of them; nothing has drifted. */
@OnEachSite
class ShopModelTest {
    private static final int OPERATIONS = Boolean.getBoolean("millrace.full") ? 20_000 : 500;
    private static final int VIEWS = 3;
    private static final int LINES = 4;
    private static final int LARGEST = 50;
    private static final List<String> ITEMS = List.of("a", "b", "c/d", "é", "e", "f");
    private static final List<String> USERS = List.of("ada", "bob");

    @Parameter Site site;

    private static final class Visitor {
        private String user = "";
        private final Map<String, String> attributes = new TreeMap<>();

        /** The newest last. */
        private final List<String> views = new ArrayList<>();
    }

    private final List<String> tokens = new ArrayList<>();
    private final Map<String, Visitor> visitors = new LinkedHashMap<>();
    private final Map<String, TreeMap<String, Integer>> carts = new HashMap<>();
    private final Map<String, Integer> popular = new TreeMap<>();
    private Random random;
    private TestHub hub;

    @Test
    void visitors_and_their_carts_are_what_the_model_says() {
        String url = site.url();
        SharedServers.flushAll();
        long seed = new Random().nextLong();
        random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            tokens.add("token-of-a-visitor-" + i);
        }
        hub = open(url);
        try {
            for (int i = 0; i < OPERATIONS; i++) {
                operation();
                if (i % 50 == 49) {
                    compare("seed " + seed + " operation " + i);
                }
                if (i % 200 == 199) {
                    hub.close();
                    hub = open(url);
                }
            }
            compare("seed " + seed);
            assertThat(hub.keyspace().check().run().findings()).as("seed " + seed).isEmpty();
        } finally {
            hub.close();
        }
    }

    private static TestHub open(String url) {
        return TestHub.start(
                url,
                "shop.views.kept=" + VIEWS,
                "shop.views.window=0s",
                "shop.views.rescale=10h",
                "shop.carts.lines=" + LINES,
                "shop.carts.quantity=" + LARGEST);
    }

    private <T> T any(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static String path(String name) {
        return name.replace("/", "%2F").replace("é", "%C3%A9");
    }

    private TestHub.Reply send(String method, String path, String body, int status) {
        TestHub.Reply reply = hub.send(method, path, body);
        assertThat(reply.status())
                .as(method + " " + path + " " + body + reply.body())
                .isEqualTo(status);
        return reply;
    }

    private void operation() {
        String token = any(tokens);
        switch (random.nextInt(12)) {
            case 0, 1 -> visit(token);
            case 2, 3 -> view(token);
            case 4 -> patch(token);
            case 5 -> rotate(token);
            case 6 -> end(token);
            case 7 -> endUser(any(USERS));
            case 8 -> merge(token, any(tokens));
            case 9 -> replace(token);
            default -> change(token);
        }
    }

    private void visit(String token) {
        String user = any(USERS);
        send(
                "PUT",
                "/shop/sessions/" + token,
                "{\"user\":\"" + user + "\"}",
                visitors.containsKey(token) ? 200 : 201);
        visitors.computeIfAbsent(token, key -> new Visitor()).user = user;
    }

    private void view(String token) {
        String item = any(ITEMS);
        Visitor visitor = visitors.get(token);
        send(
                "POST",
                "/shop/sessions/" + token + "/views",
                "{\"item\":\"" + item + "\"}",
                visitor == null ? 404 : 200);
        if (visitor != null) {
            visitor.views.remove(item);
            visitor.views.add(item);
            if (visitor.views.size() > VIEWS) {
                visitor.views.removeFirst();
            }
            popular.merge(item, 1, Integer::sum);
        }
    }

    private void patch(String token) {
        String name = any(List.of("x", "y", "z"));
        String value = random.nextInt(3) == 0 ? "null" : "" + random.nextInt(100);
        Visitor visitor = visitors.get(token);
        send(
                "PATCH",
                "/shop/sessions/" + token,
                "{\"" + name + "\":" + value + "}",
                visitor == null ? 404 : 200);
        if (visitor != null) {
            if (value.equals("null")) {
                visitor.attributes.remove(name);
            } else {
                visitor.attributes.put(name, value);
            }
        }
    }

    private void rotate(String token) {
        Visitor visitor = visitors.get(token);
        TestHub.Reply reply =
                send(
                        "POST",
                        "/shop/sessions/" + token + "/rotate",
                        "{}",
                        visitor == null ? 404 : 200);
        if (visitor != null) {
            String next = reply.json().get("token").asString();
            visitors.remove(token);
            visitors.put(next, visitor);
            TreeMap<String, Integer> cart = carts.remove(token);
            if (cart != null) {
                carts.put(next, cart);
            }
            tokens.set(tokens.indexOf(token), next);
        }
    }

    private void end(String token) {
        boolean keep = random.nextBoolean();
        send("DELETE", "/shop/sessions/" + token + (keep ? "?cart=keep" : ""), "", 204);
        if (visitors.remove(token) != null && !keep) {
            carts.remove(token);
        }
    }

    private void endUser(String user) {
        List<String> his =
                visitors.entrySet().stream()
                        .filter(each -> each.getValue().user.equals(user))
                        .map(Map.Entry::getKey)
                        .toList();
        TestHub.Reply reply = send("DELETE", "/shop/users/" + user + "/sessions", "", 200);
        assertThat(reply.json().get("count").asInt()).isEqualTo(his.size());
        his.forEach(visitors::remove);
        his.forEach(carts::remove);
    }

    private void change(String token) {
        String item = any(ITEMS);
        TreeMap<String, Integer> cart = carts.computeIfAbsent(token, key -> new TreeMap<>());
        int number = random.nextInt(80) - 20;
        boolean adds = random.nextBoolean();
        int after = adds ? cart.getOrDefault(item, 0) + number : number;
        boolean refused =
                number > LARGEST
                        || (adds && number > 0 && after > LARGEST)
                        || (after > 0 && !cart.containsKey(item) && cart.size() == LINES);
        send(
                adds ? "POST" : "PUT",
                "/shop/carts/" + token + "/items/" + path(item),
                "{\"" + (adds ? "add" : "quantity") + "\":" + number + "}",
                refused ? 422 : 200);
        if (!refused) {
            put(cart, item, after);
        }
    }

    private static void put(TreeMap<String, Integer> cart, String item, int quantity) {
        if (quantity > 0) {
            cart.put(item, quantity);
        } else {
            cart.remove(item);
        }
    }

    private void replace(String token) {
        TreeMap<String, Integer> cart = new TreeMap<>();
        List<String> lines = new ArrayList<>();
        for (String item : ITEMS.subList(0, random.nextInt(LINES + 1))) {
            int quantity = random.nextInt(10);
            lines.add("{\"item\":\"" + item + "\",\"quantity\":" + quantity + "}");
            put(cart, item, quantity);
        }
        send("PUT", "/shop/carts/" + token, "{\"items\":" + lines + "}", 200);
        carts.put(token, cart);
    }

    private void merge(String token, String from) {
        String mode = any(List.of("max", "sum", "theirs", "ours"));
        String body = "{\"from\":\"" + from + "\",\"mode\":\"" + mode + "\"}";
        String path = "/shop/carts/" + token + "/merge";
        if (token.equals(from)) {
            send("POST", path, body, 400);
            return;
        }
        TreeMap<String, Integer> ours = new TreeMap<>(carts.getOrDefault(token, new TreeMap<>()));
        carts.getOrDefault(from, new TreeMap<>())
                .forEach(
                        (item, number) ->
                                ours.merge(
                                        item,
                                        number,
                                        (mine, other) ->
                                                switch (mode) {
                                                    case "max" -> Math.max(mine, other);
                                                    case "sum" -> Math.min(LARGEST, mine + other);
                                                    case "theirs" -> other;
                                                    default -> mine;
                                                }));
        boolean refused = ours.size() > LINES;
        send("POST", path, body, refused ? 422 : 200);
        if (!refused) {
            carts.put(token, ours);
            carts.remove(from);
        }
    }

    // ---------------------------------------------------------------- comparison

    private void compare(String about) {
        Stored stored = Stored.in(site);
        Map<String, Object> logins = new TreeMap<>();
        visitors.forEach((token, visitor) -> logins.put(token, visitor.user));
        assertThat(stored.at("login:")).as(about).isEqualTo(logins);
        assertThat(stored.at("recent:").keySet()).as(about).isEqualTo(logins.keySet());
        assertThat(stored.at("millrace:session-ends").keySet())
                .as(about)
                .isEqualTo(logins.keySet());
        Map<String, Object> counts = new TreeMap<>();
        popular.forEach((item, count) -> counts.put(item, -(double) count));
        assertThat(stored.at("viewed:")).as(about).isEqualTo(counts);
        for (String token : tokens) {
            Visitor visitor = visitors.get(token);
            assertThat(byScore(stored.at("viewed:" + token)))
                    .as(about)
                    .isEqualTo(visitor == null ? List.of() : visitor.views);
            Map<String, Object> lines = new TreeMap<>();
            carts.getOrDefault(token, new TreeMap<>())
                    .forEach((item, number) -> lines.put(item, "" + number));
            assertThat(stored.at("cart:" + token)).as(about).isEqualTo(lines);
            TestHub.Reply read = hub.get("/shop/sessions/" + token);
            assertThat(read.status()).as(about).isEqualTo(visitor == null ? 404 : 200);
            if (visitor != null) {
                assertThat(read.json().get("attributes").toString())
                        .as(about)
                        .isEqualTo(
                                visitor.attributes
                                        .toString()
                                        .replace("=", ":")
                                        .replace(", ", ",")
                                        .replaceAll("([xyz]):", "\"$1\":"));
            }
        }
        for (String user : USERS) {
            assertThat(new TreeSet<>(stored.at("millrace:user-sessions:" + user).keySet()))
                    .as(about)
                    .isEqualTo(
                            new TreeSet<>(
                                    visitors.entrySet().stream()
                                            .filter(each -> each.getValue().user.equals(user))
                                            .map(Map.Entry::getKey)
                                            .toList()));
        }
        assertThat(stored.ofVisitors().stream().filter(key -> key.startsWith("viewed:")).count())
                .as(about)
                .isEqualTo(
                        visitors.values().stream().filter(each -> !each.views.isEmpty()).count());
    }

    private static List<String> byScore(Map<String, Object> members) {
        return members.entrySet().stream()
                .sorted(
                        Map.Entry.comparingByValue(
                                (a, b) -> Double.compare((double) a, (double) b)))
                .map(Map.Entry::getKey)
                .toList();
    }
}
