package dev.millrace.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The page of a shop, while visitors come. */
class ShopPageTest {
    /** Far away: only a hang reaches it. */
    private static final double PATIENCE_MILLIS = 60_000;

    @TempDir private static Path directory;
    private static Chromium chromium;
    private static RunningHub hub;
    private static Plant client;

    @BeforeAll
    static void start() throws Exception {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        chromium = new Chromium();
        hub = RunningHub.start(directory, "shop.demo=true");
        client = new Plant(hub.url(), "");
    }

    @AfterAll
    static void stop() {
        client.close();
        chromium.close();
        hub.close();
    }

    @Test
    void visitors_their_carts_and_what_is_kept_appear_by_themselves() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/shop")) {
            Page page = visit.page();
            assertThat(page.locator("main")).containsText("Nobody is there.");
            assertThat(page.locator("main")).containsText("Nothing was looked at yet.");

            String token = "token-of-ada-in-a-browser";
            client.send(
                    "PUT",
                    "/shop/sessions/" + token,
                    "{\"user\":\"ada <b>l</b>\",\"item\":\"273\"}");
            client.send("PUT", "/shop/carts/" + token + "/items/273", "{\"quantity\":630}");
            client.send("PUT", "/shop/rows/inv/273/schedule", "{\"delay\":3600}");

            assertThat(page.locator("table.sessions tbody tr")).hasCount(1);
            assertThat(page.locator("table.sessions")).containsText("ada <b>l</b>");
            assertThat(page.locator("table.popular tbody td").nth(1)).hasText("273");
            assertThat(page.locator("table.rows")).containsText("inv 273");
            assertThat(page.locator("table.rows")).containsText("fresh");

            page.locator("table.sessions button").click();
            assertThat(page.locator("table.cart")).containsText("GTab 7inch");
            assertThat(page.locator("table.cart")).containsText("too few");
            assertThat(page.locator("main")).containsText("Looked at last: 273.");
            assertThat(page.locator("main")).containsText("shop.proxy.port is off");
            visit.picture("shop");

            client.send("PUT", "/shop/carts/" + token + "/items/273", "{\"quantity\":2}");
            assertThat(page.locator("table.cart .n").nth(1)).hasText("2");
            client.send("DELETE", "/shop/sessions/" + token, "");
            assertThat(page.locator("main")).containsText("Nobody is there.");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_phone_shows_it_without_scrolling_sideways() {
        client.send("PUT", "/shop/sessions/token-of-bob-with-a-phone", "{\"user\":\"bob\"}");
        try (Visit visit =
                Visit.to(chromium.browser(), hub.url() + "/ui/shop", 390, ColorScheme.DARK)) {
            Page page = visit.page();
            assertThat(page.locator("table.sessions")).containsText("bob");
            assertThat(page.locator("body")).hasJSProperty("scrollWidth", 390);
            visit.picture("shop-phone");
            visit.mustBeFreeOfTrouble();
        }
        client.send("DELETE", "/shop/users/bob/sessions", "");
    }
}
