package dev.millrace.hub.shop.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.shop.visits.PopularItems;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** The page cache as its visitors, its application and its operators see it. */
@OnEachSite
class PagesTest {
    private static final int CLIENTS = 200;

    /** However slow this machine is, nobody gives up waiting for others. */
    private static final String PATIENT = "shop.pages.patience=60s";

    private final Site site;
    private final Deque<String> items = new ArrayDeque<>();
    private Shopfront shop;

    PagesTest(Site site) {
        this.site = site;
    }

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        shop = Shopfront.open(site.url(), new Application(Application.page("one")), PATIENT);
        items.addAll(List.of(Shopfront.items(8)));
        PopularItems.seen(shop.hub.keyspace(), items.toArray(String[]::new));
    }

    @AfterEach
    void close() {
        assertThat(shop.hub.keyspace().check().run().drift()).isZero();
        shop.close();
    }

    private String page() {
        return "/?item=" + items.pop();
    }

    /** The same Redis, another hub, the same application. */
    private TestHub another() {
        return TestHub.start(
                site.url(),
                "shop.proxy.port=0",
                "shop.proxy.upstream=" + shop.application.url(),
                PATIENT);
    }

    private static Visitor visitor(TestHub hub) {
        return new Visitor(hub.get("/shop/cache/stats").json().get("address").asString());
    }

    private List<Visitor.Reply> together(Callable<Visitor.Reply> call, int times) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Visitor.Reply>> futures = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                futures.add(threads.submit(call));
            }
            List<Visitor.Reply> replies = new ArrayList<>();
            for (Future<Visitor.Reply> each : futures) {
                replies.add(each.get());
            }
            return replies;
        }
    }

    /** An answer that does not come before all who are to ask have asked. */
    private Application.Answering held(CountDownLatch go, String body, String... headers) {
        return (asked, out, socket) -> {
            go.await();
            Application.send(out, "200 OK", body, headers);
            return true;
        };
    }

    @Test
    void many_clients_on_a_cold_page_are_one_request() throws Exception {
        String page = page();
        CountDownLatch go = new CountDownLatch(1);
        shop.application.answers(held(go, "hot", "Content-Type: text/plain"));
        Thread.startVirtualThread(
                () -> {
                    await().until(() -> shop.application.count(page) > 0);
                    go.countDown();
                });
        List<Visitor.Reply> replies = together(() -> shop.visitor.get(page), CLIENTS);
        assertThat(replies).allMatch(each -> each.status() == 200 && each.text().equals("hot"));
        assertThat(shop.application.count(page)).isOne();
    }

    @Test
    void so_they_are_at_two_hubs() throws Exception {
        String page = page();
        try (TestHub second = another()) {
            Visitor there = visitor(second);
            CountDownLatch go = new CountDownLatch(1);
            shop.application.answers(held(go, "hot"));
            Thread.startVirtualThread(
                    () -> {
                        await().until(() -> shop.application.count(page) > 0);
                        go.countDown();
                    });
            List<Visitor.Reply> replies = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Visitor.Reply>> futures = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    Visitor one = i % 2 == 0 ? shop.visitor : there;
                    futures.add(threads.submit(() -> one.get(page)));
                }
                for (Future<Visitor.Reply> each : futures) {
                    replies.add(each.get());
                }
            }
            assertThat(replies).allMatch(each -> each.status() == 200 && each.text().equals("hot"));
            assertThat(shop.application.count(page)).isOne();
        }
    }

    @Test
    void at_its_end_nobody_waits_and_one_asks() throws Exception {
        String page = page();
        shop.application.answers(
                Application.page("old", "Cache-Control: max-age=1, stale-while-revalidate=600"));
        shop.visitor.get(page);
        CountDownLatch go = new CountDownLatch(1);
        shop.application.answers(held(go, "new", "Cache-Control: max-age=600"));
        await().until(() -> shop.visitor.get(page).cache().contains("ttl=-"));
        List<Visitor.Reply> replies = together(() -> shop.visitor.get(page), CLIENTS);
        assertThat(replies).allMatch(each -> each.text().equals("old"));
        assertThat(replies).allMatch(each -> each.header("Warning").startsWith("110"));
        go.countDown();
        await().until(() -> shop.visitor.get(page).text().equals("new"));
        assertThat(shop.application.count(page)).isEqualTo(2);
    }

    @Test
    void while_the_application_is_down_old_pages_serve() {
        String page = page();
        shop.application.answers(
                Application.page("old", "Cache-Control: max-age=1, stale-while-revalidate=0"));
        shop.visitor.get(page);
        shop.application.close();
        await().until(() -> shop.visitor.get(page).cache().contains("stale"));
        Visitor.Reply old = shop.visitor.get(page);
        assertThat(old.status()).isEqualTo(200);
        assertThat(old.text()).isEqualTo("old");
        await().until(() -> shop.visitor.get(page).age() > 0);
        assertThat(old.header("Warning")).contains("110").contains("111");
        assertThat(shop.visitor.get(page()).status()).isIn(502, 503);
    }

    @Test
    void an_application_that_fails_is_hidden_by_the_old_page() {
        String page = page();
        shop.application.answers(
                Application.page("old", "Cache-Control: max-age=1, stale-while-revalidate=0"));
        shop.visitor.get(page);
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(out, "503 Away", "sorry");
                    return true;
                });
        await().until(() -> shop.visitor.get(page).cache().contains("fwd-status=503"));
        assertThat(shop.visitor.get(page).text()).isEqualTo("old");
    }

    @Test
    void a_page_that_must_be_revalidated_is_never_given_old() {
        String page = page();
        shop.application.answers(
                Application.page("old", "Cache-Control: max-age=1, must-revalidate"));
        shop.visitor.get(page);
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(out, "503 Away", "sorry");
                    return true;
                });
        await().until(() -> shop.visitor.get(page).status() == 503);
    }

    @Test
    void what_cannot_be_kept_is_remembered_so_that_nobody_waits() throws Exception {
        String page = page();
        shop.application.answers(Application.page("mine", "Set-Cookie: a=b"));
        assertThat(shop.visitor.get(page).header("Set-Cookie")).isEqualTo("a=b");
        // Now they come to the application side by side: it answers none before it has all.
        CountDownLatch all = new CountDownLatch(20);
        shop.application.answers(
                (asked, out, socket) -> {
                    all.countDown();
                    all.await();
                    Application.send(out, "200 OK", "mine", "Set-Cookie: a=b");
                    return true;
                });
        assertThat(together(() -> shop.visitor.get(page), 20))
                .allMatch(each -> each.status() == 200 && each.cache().contains("set-cookie"));
        assertThat(shop.application.count(page)).isEqualTo(21);
    }

    /** The original's own test of its page cache, with its functions replaced by ours. */
    @Test
    void a_page_of_an_item_that_was_looked_at_is_kept_and_no_other() {
        String item = Shopfront.items(1)[0];
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(out, "200 OK", "content for " + asked.target());
                    return true;
                });
        assertThat(shop.visitor.get("/?item=" + item).cache()).contains("bypass");
        shop.hub.send(
                "PUT",
                "/shop/sessions/0123456789abcdef",
                "{\"user\":\"username\",\"item\":\"" + item + "\"}");
        await().until(() -> shop.visitor.get("/?item=" + item).hit());
        shop.application.close();
        assertThat(shop.visitor.get("/?item=" + item).text())
                .isEqualTo("content for /?item=" + item);
        for (String dynamic : List.of("/", "/?item=" + item + "&_=1234536", "/?_&item=" + item)) {
            assertThat(shop.visitor.get(dynamic).status()).as(dynamic).isIn(502, 503);
        }
    }

    @Test
    void what_has_no_room_among_the_copies_of_a_hub_is_kept_all_the_same() throws Exception {
        String page = page();
        String large = "x".repeat(2 << 20);
        try (TestHub small =
                TestHub.start(
                        site.url(),
                        "shop.proxy.port=0",
                        "shop.proxy.upstream=" + shop.application.url(),
                        "shop.pages.memory=1MiB",
                        "shop.pages.largest=4MiB",
                        PATIENT)) {
            Visitor there = visitor(small);
            CountDownLatch go = new CountDownLatch(1);
            shop.application.answers(held(go, large));
            Thread.startVirtualThread(
                    () -> {
                        await().until(() -> shop.application.count(page) > 0);
                        go.countDown();
                    });
            assertThat(together(() -> there.get(page), 20))
                    .allMatch(each -> each.text().equals(large));
            await().until(() -> keys("cache:").size() == 1);
            assertThat(there.get(page).hit()).isTrue();
            assertThat(there.get(page).text()).isEqualTo(large);
            assertThat(shop.application.count(page)).isOne();
        }
    }

    /** As many applications do: a cookie for the first visit, the page for all after that. */
    @Test
    void what_could_not_be_kept_for_a_new_visitor_is_kept_for_others() {
        String page = page();
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(
                            out,
                            "200 OK",
                            "x",
                            asked.header("Cookie").isPresent() ? "X-Known: 1" : "Set-Cookie: a=b");
                    return true;
                });
        try (TestHub second = another()) {
            Visitor there = visitor(second);
            assertThat(shop.visitor.get(page).header("Set-Cookie")).isEqualTo("a=b");
            await().until(() -> there.get(page).cache().contains("set-cookie"));
            await().until(() -> shop.visitor.get(page, "Cookie: a=b").hit());
            await().until(() -> there.get(page).hit());
            assertThat(there.get(page).header("Set-Cookie")).isEmpty();
        }
    }

    @Test
    void a_page_is_kept_as_the_key_description_says() {
        String page = page();
        shop.application.answers(
                Application.page("<html>", "Surrogate-Key: red blue", "Cache-Tag: green"));
        assertThat(shop.visitor.get(page).header("Surrogate-Key")).isEmpty();
        String hash = hash();
        await().until(() -> keys("cache:").contains("cache:" + hash));
        assertThat(
                        site.dump().entrySet().stream()
                                .filter(each -> each.getKey().endsWith("cache:" + hash))
                                .map(each -> String.valueOf(each.getValue())))
                .containsExactly("<html>");
        assertThat(shop.hub.get("/shop/cache/pages").json().get(0).get("tags").toString())
                .isEqualTo("[\"blue\",\"green\",\"red\"]");
    }

    private String hash() {
        await().until(() -> !shop.hub.get("/shop/cache/pages").json().isEmpty());
        return shop.hub.get("/shop/cache/pages").json().get(0).get("hash").asString();
    }

    private Set<String> keys(String beginning) {
        return site.allKeys().stream()
                .map(each -> each.replaceFirst("^\\{[^}]*}", ""))
                .filter(each -> each.startsWith(beginning))
                .collect(Collectors.toSet());
    }

    @Test
    void what_is_purged_is_gone_at_all_hubs() {
        String[] pages = {page(), page(), page(), page()};
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(
                            out,
                            "200 OK",
                            "x",
                            asked.target().equals(pages[0]) || asked.target().equals(pages[1])
                                    ? "Surrogate-Key: sale"
                                    : "X-None: 1");
                    return true;
                });
        try (TestHub second = another()) {
            Visitor there = visitor(second);
            for (String each : pages) {
                shop.visitor.get(each);
                await().until(() -> there.get(each).hit());
                assertThat(shop.application.count(each)).isOne();
            }
            purge("{\"tag\":\"sale\"}", 2);
            asked(there, 2, pages[0], pages[1]);
            asked(there, 1, pages[2], pages[3]);
            purge("{\"item\":\"" + pages[2].substring(7) + "\"}", 1);
            asked(there, 2, pages[2]);
            asked(there, 1, pages[3]);
            purge("{\"url\":\"http://shop.example" + pages[3] + "&utm_source=mail\"}", 1);
            asked(there, 2, pages[3]);
            assertThat(shop.visitor.send("PURGE", pages[3], "").text()).isEqualTo("{\"purged\":1}");
            asked(there, 3, pages[3]);
            purge("{\"all\":true}", 4);
            assertThat(keys("cache:")).isEmpty();
            asked(there, 4, pages[3]);
        }
    }

    private void purge(String body, int pages) {
        assertThat(shop.hub.send("POST", "/shop/cache/purge", body).body())
                .isEqualTo("{\"purged\":" + pages + "}");
    }

    private void asked(Visitor there, int times, String... pages) {
        for (String each : pages) {
            assertThat(shop.visitor.get(each).status()).isEqualTo(200);
            await().until(() -> there.get(each).hit());
            assertThat(shop.application.count(each)).isEqualTo(times);
        }
    }

    @Test
    void what_was_asked_for_before_a_purge_is_not_kept_after_it() throws Exception {
        String page = page();
        CountDownLatch go = new CountDownLatch(1);
        shop.application.answers(held(go, "before"));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Visitor.Reply> first = threads.submit(() -> shop.visitor.get(page));
            await().until(() -> shop.application.count(page) == 1);
            purge("{\"url\":\"http://shop.example" + page + "\"}", 0);
            go.countDown();
            assertThat(first.get().text()).isEqualTo("before");
        }
        shop.application.answers(Application.page("after"));
        assertThat(shop.visitor.get(page).text()).isEqualTo("after");
    }

    @Test
    void what_another_program_removes_is_gone_here_too() {
        String page = page();
        shop.visitor.get(page);
        String hash = hash();
        shop.application.answers(Application.page("two"));
        String key =
                site.allKeys().stream()
                        .filter(each -> each.endsWith("cache:" + hash))
                        .findFirst()
                        .orElseThrow();
        site.command(key, "DEL", key);
        await().until(() -> shop.visitor.get(page).text().equals("two"));
    }

    @Test
    void a_hub_that_starts_finds_the_pages_of_those_before() {
        String page = page();
        shop.visitor.get(page);
        hash();
        try (TestHub second = another()) {
            assertThat(visitor(second).get(page).hit()).isTrue();
        }
        assertThat(shop.application.count(page)).isOne();
    }

    @Test
    void who_changes_something_makes_its_page_old() {
        String page = page();
        shop.visitor.get(page);
        shop.application.answers(Application.page("two"));
        assertThat(shop.visitor.send("POST", page, "x").text()).isEqualTo("two");
        assertThat(shop.visitor.get(page).text()).isEqualTo("two");
        String other = page();
        shop.visitor.get(other);
        shop.application.answers(Application.page("three", "Location: " + other));
        shop.visitor.send("POST", "/order", "x");
        assertThat(shop.visitor.get(other).text()).isEqualTo("three");
    }

    @Test
    void a_page_that_did_not_change_is_kept_on() {
        String page = page();
        shop.application.answers(
                (asked, out, socket) -> {
                    if (asked.header("If-None-Match").isPresent()) {
                        Application.send(
                                out,
                                "304 Not Modified",
                                "",
                                "ETag: \"1\"",
                                "Cache-Control: max-age=600",
                                "X-New: yes");
                    } else {
                        Application.send(
                                out,
                                "200 OK",
                                "one",
                                "ETag: \"1\"",
                                "Cache-Control: max-age=1, stale-while-revalidate=0",
                                "Content-Type: text/plain");
                    }
                    return true;
                });
        shop.visitor.get(page);
        await().until(() -> shop.visitor.get(page).header("X-New").equals("yes"));
        Visitor.Reply renewed = shop.visitor.get(page);
        assertThat(renewed.text()).isEqualTo("one");
        assertThat(renewed.header("Content-Type")).isEqualTo("text/plain");
        assertThat(renewed.hit()).isTrue();
        assertThat(shop.application.count(page)).isEqualTo(2);
        assertThat(shop.application.all.getLast().headers("If-None-Match"))
                .containsExactly("\"1\"");
    }

    @Test
    void spellings_of_one_address_are_one_page_and_others_are_not() {
        String item = items.pop();
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(out, "200 OK", asked.target());
                    return true;
                });
        String first = "/p?item=" + item + "&b=2&a=1";
        shop.visitor.get(first);
        for (String same :
                List.of(
                        "/p?a=1&b=2&item=" + item,
                        "/%70?item=" + item + "&b=2&a=1&utm_source=mail",
                        "/p?item=" + item + "&&b=2&%61=1&gclid=9")) {
            assertThat(shop.visitor.get(same).text()).as(same).isEqualTo(first);
        }
        for (String other :
                List.of(
                        "/P?item=" + item + "&b=2&a=1",
                        "/p?item=" + item + "&b=1&a=2",
                        "/p?item=" + item + "&b=2&a=1&_=7",
                        "/p?item=" + item + "&b=2&a=1&_")) {
            assertThat(shop.visitor.get(other).text()).as(other).isEqualTo(other);
        }
        assertThat(shop.visitor.get("/p?item=nobodyknows").cache()).contains("bypass");
        assertThat(
                        shop.visitor
                                .raw(
                                        "GET "
                                                + first
                                                + " HTTP/1.1\r\n"
                                                + "Host: other.example\r\n"
                                                + "Connection: close\r\n\r\n",
                                        false)
                                .hit())
                .isFalse();
        assertThat(
                        shop.visitor
                                .raw(
                                        "GET "
                                                + first
                                                + " HTTP/1.1\r\n"
                                                + "Host: SHOP.example:80\r\n"
                                                + "Connection: close\r\n\r\n",
                                        false)
                                .hit())
                .isTrue();
    }

    @Test
    void clients_get_what_they_have_not_got() {
        String page = page();
        shop.application.answers(
                Application.page(
                        "0123456789",
                        "ETag: \"v1\"",
                        "Last-Modified: Mon, 02 Nov 2015 00:00:00 GMT",
                        "Content-Type: text/plain"));
        Visitor.Reply first = shop.visitor.get(page, "If-None-Match: \"v1\"");
        assertThat(first.status()).isEqualTo(304);
        assertThat(shop.application.all.getLast().headers("If-None-Match")).isEmpty();
        Visitor.Reply again = shop.visitor.get(page, "If-None-Match: \"v0\", W/\"v1\"");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.header("ETag")).isEqualTo("\"v1\"");
        assertThat(again.header("Content-Type")).isEmpty();
        assertThat(shop.visitor.get(page, "If-None-Match: \"v2\"").status()).isEqualTo(200);
        assertThat(
                        shop.visitor
                                .get(page, "If-Modified-Since: Mon, 02 Nov 2015 00:00:00 GMT")
                                .status())
                .isEqualTo(304);
        assertThat(
                        shop.visitor
                                .get(page, "If-Modified-Since: Sun, 01 Nov 2015 00:00:00 GMT")
                                .status())
                .isEqualTo(200);
        assertThat(shop.visitor.send("HEAD", page, "").header("Content-Length")).isEqualTo("10");
        Visitor.Reply part = shop.visitor.get(page, "Range: bytes=2-4");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("234");
        assertThat(part.header("Content-Range")).isEqualTo("bytes 2-4/10");
        assertThat(shop.visitor.get(page, "Range: bytes=-3").text()).isEqualTo("789");
        assertThat(shop.visitor.get(page, "Range: bytes=7-").text()).isEqualTo("789");
        assertThat(shop.visitor.get(page, "Range: bytes=20-").status()).isEqualTo(416);
        assertThat(shop.visitor.get(page, "Range: bytes=0-1,3-4").text()).isEqualTo("0123456789");
        assertThat(shop.visitor.get(page, "Range: bytes=0-1", "If-Range: \"v0\"").text())
                .isEqualTo("0123456789");
        assertThat(shop.visitor.get(page, "Range: bytes=0-1", "If-Range: \"v1\"").text())
                .isEqualTo("01");
        assertThat(shop.application.count(page)).isOne();
    }

    @Test
    void what_is_not_one_thing_cannot_be_purged() {
        for (String body :
                List.of(
                        "{}",
                        "{\"all\":false}",
                        "{\"item\":\"a\",\"tag\":\"b\"}",
                        "{\"url\":\"/x\"}",
                        "{\"url\":\"not an address\"}",
                        "{\"item\":\"\"}",
                        "{\"tag\":\"a\\u0000\"}",
                        "{\"item\":\"" + "x".repeat(300) + "\"}",
                        "[]",
                        "x")) {
            assertThat(shop.hub.send("POST", "/shop/cache/purge", body).status())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(shop.visitor.send("PURGE", page(), "", "Origin: http://evil.example").status())
                .isEqualTo(403);
        assertThat(shop.visitor.send("PURGE", page(), "", "X-Forwarded-For: 9.9.9.9").status())
                .isEqualTo(403);
    }
}
