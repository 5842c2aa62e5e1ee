package dev.millrace.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.assertions.PlaywrightAssertions;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** People with browsers in a shop behind the page cache, and somebody who looks at the cache. */
class DemoShopVisitTest {
    /** Far away: only a hang reaches it. */
    private static final double PATIENCE_MILLIS = 60_000;

    private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([^\"]+)\"");

    @TempDir private static Path directory;
    private static Chromium chromium;
    private static RunningHub hub;
    private static String shop;

    @BeforeAll
    static void start() throws Exception {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        chromium = new Chromium();
        hub = RunningHub.start(directory, "shop.demo=true", "shop.proxy.port=0");
        try (Plant client = new Plant(hub.url(), "")) {
            Matcher address = ADDRESS.matcher(client.send("GET", "/shop/cache/stats", ""));
            assertThat(address.find()).isTrue();
            shop = address.group(1);
        }
    }

    @AfterAll
    static void stop() {
        chromium.close();
        hub.close();
    }

    private static String cache(Page page, String path) {
        Response response = page.navigate(shop + path);
        return String.valueOf(response.headerValue("Cache-Status"));
    }

    @Test
    void what_people_look_at_is_kept_and_their_carts_are_theirs_alone() {
        try (Visit ada = Visit.to(chromium.browser(), shop + "/");
                Visit ben = Visit.to(chromium.browser(), shop + "/");
                Visit owner = Visit.to(chromium.browser(), hub.url() + "/ui/shop")) {
            signIn(ada.page(), "Ada");
            // Her look at it makes it popular; then its page is kept.
            ada.page()
                    .waitForCondition(
                            () -> cache(ada.page(), "/product?item=273").contains("hit"),
                            new Page.WaitForConditionOptions().setTimeout(PATIENCE_MILLIS));
            assertThat(ada.page().locator("h1")).containsText("GTab");
            assertThat(cache(ben.page(), "/product?item=273")).contains("hit");

            ada.page().locator("button", named("Put into the cart")).click();
            assertThat(ada.page().locator("body")).containsText("Ada:");
            assertThat(ada.page().locator("li")).containsText("1 × GTab");
            assertThat(cache(ben.page(), "/cart")).contains("bypass");
            assertThat(ben.page().locator("body")).containsText("nothing yet");
            assertThat(ben.page().locator("body")).not().containsText("Ada");

            Page look = owner.page();
            assertThat(look.locator("table.pages")).containsText("/product?item=273");
            assertThat(look.locator("table.pages")).containsText("popular: fresh for");
            assertThat(look.locator("main")).containsText("that could be");
            assertThat(look.locator("dl a")).hasAttribute("href", shop);
            assertThat(look.locator("main")).containsText("0 refused");
            assertThat(look.locator("table.sessions")).containsText("Ada");
            assertThat(look.locator("table.popular")).containsText("273");
            owner.picture("shop-pages");
            ada.mustBeFreeOfTrouble();
            ben.mustBeFreeOfTrouble();
            owner.mustBeFreeOfTrouble();
        }
    }

    private static void signIn(Page page, String name) {
        page.locator("input[name=user]").fill(name);
        page.locator("button", named("Sign in")).click();
        assertThat(page.locator("h1")).hasText("A small shop");
    }

    private static Page.LocatorOptions named(String text) {
        return new Page.LocatorOptions().setHasText(text);
    }
}
