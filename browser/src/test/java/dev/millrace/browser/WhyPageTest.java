package dev.millrace.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The page that draws a chain, from the value to the device that answers. */
class WhyPageTest {
    /** Far away: only a hang reaches it. */
    private static final double PATIENCE_MILLIS = 60_000;

    @TempDir private static Path directory;
    private static Chromium chromium;
    private static RunningHub hub;
    private static Plant plant;

    @BeforeAll
    static void start() throws Exception {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        chromium = new Chromium();
        hub = RunningHub.start(directory);
        plant = new Plant(hub.url(), "");
        plant.send(
                "POST",
                "/api/channels",
                """
                {"id":2,"name":"Tank","protocol":"virtual","enabled":true,"parameters":{"polling_interval_ms":100},
                 "points":{"T":[{"point_id":1,"mapping":{"tank":"level"}}],"C":[{"point_id":1,"mapping":{"tank":"inlet"}}]}}\
                """);
        plant.send(
                "POST",
                "/api/v1/subscription",
                """
                {"slug":"people","receiver":"ann","subscribedLabels":["alarm"],
                 "channels":[{"type":"MESSAGE_CHANNEL","messageChannel":"people"}]}\
                """);
        plant.send(
                "POST",
                "/api/rules",
                """
                {"id":"fill","trigger":{"type":"alarm","rule_ids":["hot"]},"condition":"true",
                 "actions":[{"type":"control","channel_id":2,"point_id":1,"value":1,"queue":true}]}\
                """);
        plant.rule("hot", 101, 85, "Critical", "Boiler <b>is</b> hot");
        plant.values("\"101\":80");
    }

    @AfterAll
    static void stop() {
        plant.close();
        chromium.close();
        hub.close();
    }

    private static Locator part(Page page, String kind) {
        return page.locator(".chain > li.is-" + kind);
    }

    @Test
    void a_chain_is_drawn_from_the_value_to_the_device_and_grows_by_itself() {
        plant.values("\"101\":86.2");
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/alarms")) {
            Page page = visit.page();
            page.locator(".alarm .title").first().click();
            page.locator("a.why").click();
            assertThat(page).hasURL(hub.url() + "/ui/why/alarm-hot-1");
            assertThat(part(page, "value").locator(".title")).hasText("comsrv:1:T 101 = 86.2");
            assertThat(part(page, "alarm").locator(".title")).hasText("Boiler <b>is</b> hot");
            assertThat(part(page, "alarm")).hasAttribute("aria-current", "true");
            assertThat(part(page, "execution").locator(".title")).hasText("Rule fill acted");
            assertThat(part(page, "execution").locator(".who")).hasText("rule:fill");
            assertThat(part(page, "command")).containsText("completed");
            assertThat(part(page, "read_back").locator(".title")).hasText("The device says 1");
            assertThat(part(page, "transmission")).containsText("To ann: SENT");
            // Each part hangs below the one that led to it.
            assertThat(page.locator(".chain > li circle")).hasCount(7);
            assertThat(page.locator(".chain > li:first-child line")).hasCount(1);
            assertThat(page.locator(".chain > li").first()).hasClass("is-value");

            plant.send(
                    "POST",
                    "/api/alarms/hot/acknowledge",
                    "{\"user\":\"ann\",\"note\":\"on my way\"}");
            assertThat(part(page, "alarm")).containsText("acknowledged, by ann");
            visit.picture("why");

            page.locator("#why-id").fill("nothing of this name");
            page.locator("form button").click();
            assertThat(page.locator("[role=alert]"))
                    .containsText("Nothing with this id is recorded");
        }
    }

    @Test
    void a_phone_shows_it_without_scrolling_sideways() {
        plant.rule("warm", 102, 10, "Minor", "It is warm");
        plant.values("\"102\":11");
        try (Visit visit =
                Visit.to(chromium.browser(), hub.url() + "/ui/why/warm", 390, ColorScheme.DARK)) {
            Page page = visit.page();
            assertThat(part(page, "alarm").locator(".title")).hasText("It is warm");
            assertThat(page.locator("body")).hasJSProperty("scrollWidth", 390);
            visit.picture("why-phone");
            visit.mustBeFreeOfTrouble();
        }
    }
}
