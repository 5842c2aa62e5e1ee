package dev.millrace.hub.shop.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.shop.visits.PopularItems;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Map;

/**
 * Nobody decides by what he sends which page others get: what is no part of the question by which a
 * page is found does not reach who makes it, and what makes a page is a part of the question.
 */
class PoisoningTest {
    private static final String FRESH = "Cache-Control: max-age=600";

    private Shopfront shop;
    private String page;

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        shop =
                Shopfront.open(
                        SharedServers.standalone().url(),
                        new Application(Application.page("page")),
                        "shop.proxy.trusted=127.0.0.0/8",
                        "shop.pages.personal-cookies=login");
        String item = Shopfront.items(1)[0];
        PopularItems.seen(shop.hub.keyspace(), item);
        page = "/?item=" + item;
    }

    @AfterEach
    void close() {
        shop.close();
    }

    /** The page shows what a header says. */
    private void shows(String header, String... headers) {
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(
                            out, "200 OK", asked.header(header).orElse("nothing"), headers);
                    return true;
                });
    }

    @Test
    void a_header_that_is_taken_off_on_the_way_chooses_no_variant() {
        shows("Accept-Language", FRESH, "Vary: Accept-Language");
        assertThat(
                        shop.visitor
                                .get(page, "Accept-Language: de", "Connection: Accept-Language")
                                .text())
                .isEqualTo("nothing");
        assertThat(shop.visitor.get(page, "Accept-Language: de").text()).isEqualTo("de");
        assertThat(shop.visitor.get(page).hit()).isTrue();
    }

    @Test
    void the_redirect_to_https_is_not_for_those_who_are_there() {
        shop.application.answers(
                (asked, out, socket) -> {
                    if (asked.header("X-Forwarded-Proto").orElse("").equals("https")) {
                        Application.send(out, "200 OK", "page", FRESH);
                    } else {
                        Application.send(
                                out, "301 Moved", "", "Location: https://shop.example" + page);
                    }
                    return true;
                });
        assertThat(shop.visitor.get(page).status()).isEqualTo(301);
        assertThat(shop.visitor.get(page, "X-Forwarded-Proto: https").text()).isEqualTo("page");
        assertThat(shop.visitor.get(page).hit()).isTrue();
        assertThat(shop.visitor.get(page, "X-Forwarded-Proto: https").hit()).isTrue();
        assertThat(shop.visitor.get(page, "Forwarded: for=1.2.3.4;proto=https").status())
                .isEqualTo(301);

        // A visitor has its answer before the page is kept.
        await().until(() -> shop.visitor.get(page, "Forwarded: for=1.2.3.4;proto=https").hit());
        assertThat(shop.visitor.send("PURGE", page, "").text()).isEqualTo("{\"purged\":3}");
        assertThat(shop.visitor.get(page, "X-Forwarded-Proto: https").hit()).isFalse();
    }

    @Test
    void links_to_another_host_stay_with_those_who_asked_for_it() {
        shows("X-Forwarded-Host", FRESH);
        assertThat(shop.visitor.get(page, "X-Forwarded-Host: evil.example").text())
                .isEqualTo("evil.example");
        assertThat(shop.visitor.get(page).text()).isEqualTo(Visitor.HOST);
        assertThat(shop.visitor.get(page, "X-Forwarded-Host: " + Visitor.HOST).hit()).isTrue();
        for (String each :
                new String[] {
                    "X-Original-URL: /admin", "X-Rewrite-URL: /admin", "X-Forwarded-Prefix: /x"
                }) {
            assertThat(shop.visitor.get(page, each).hit()).as(each).isFalse();
        }
        // Who the client is makes no difference to anybody's page.
        assertThat(shop.visitor.get(page, "X-Forwarded-For: 1.2.3.4").hit()).isTrue();
    }

    @Test
    void what_is_not_looked_at_in_an_address_does_not_reach_the_page() {
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(out, "200 OK", asked.target(), FRESH);
                    return true;
                });
        assertThat(shop.visitor.get(page + "&utm_source=<script>;item=other&b=1").text())
                .isEqualTo(page + "&b=1");
        assertThat(shop.visitor.get(page + "&b=1").hit()).isTrue();
        // Who is answered alone has said it to the application.
        assertThat(shop.visitor.get("/?utm_source=mail").text()).isEqualTo("/?utm_source=mail");
    }

    @Test
    void who_cannot_read_a_compressed_page_does_not_get_it() {
        shop.application.answers(
                (asked, out, socket) -> {
                    if (asked.header("Accept-Encoding").orElse("").contains("gzip")) {
                        Application.send(out, "200 OK", "zipped", FRESH, "Content-Encoding: gzip");
                    } else {
                        Application.send(out, "200 OK", "plain", FRESH);
                    }
                    return true;
                });
        assertThat(shop.visitor.get(page, "Accept-Encoding: gzip").text()).isEqualTo("zipped");
        assertThat(shop.visitor.get(page).text()).isEqualTo("plain");
    }

    @Test
    void a_cookie_that_makes_a_page_personal_may_stand_anywhere() {
        for (String[] cookies :
                new String[][] {
                    {"Cookie: login=ada"},
                    {"Cookie: a=1; login=ada"},
                    {"Cookie: a=1;\tlogin=ada"},
                    {"Cookie: a=1", "Cookie: login=ada"}
                }) {
            assertThat(shop.visitor.get(page, cookies).cache())
                    .as(Map.of("cookies", cookies).toString())
                    .contains("bypass");
        }
        assertThat(shop.application.count(page)).isEqualTo(4);
        shop.visitor.get(page, "Cookie: alogin=ada");
        assertThat(shop.visitor.get(page, "Cookie: b=login").hit()).isTrue();
    }
}
