package dev.millrace.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The page of models, while their points change and somebody orders an action. */
class ModelsPageTest {
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
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/models")) {
            assertThat(visit.page().locator(".curl")).containsText(hub.url() + "/api/models/tr_1");
            visit.picture("models-empty");
            visit.mustBeFreeOfTrouble();
        }
        plant.send(
                "POST",
                "/api/channels",
                "{\"id\":1,\"protocol\":\"other\",\"parameters\":{\"offline_after\":86400},"
                        + "\"points\":{\"C\":[{\"point_id\":7}]}}");
        plant.values("\"101\":75.5");
        plant.send(
                "PUT",
                "/api/models/tr_1",
                """
                {"name":"Transformer <b>1</b>","type":"tr","mappings":{
                  "measurement":{"temperature":{"channel":1,"point_id":101},"twice":{"expression":"temperature*2"}},
                  "action":{"fan":{"channel":1,"point_id":7}}}}
                """);
    }

    @AfterAll
    static void stop() {
        plant.close();
        chromium.close();
        hub.close();
    }

    private static Locator row(Page page, String name) {
        return page.locator("table.measurements tbody tr")
                .filter(new Locator.FilterOptions().setHasText(name))
                .first();
    }

    @Test
    void measurements_change_in_their_places() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/models")) {
            Page page = visit.page();
            page.locator("ul.channels a").first().click();
            assertThat(page.locator("#model-title")).hasText("Transformer <b>1</b>");
            assertThat(row(page, "temperature").locator(".value")).hasText("75.5");
            assertThat(row(page, "twice").locator(".value")).hasText("151");
            assertThat(row(page, "twice")).containsText("temperature*2");
            assertThat(page.locator("#model-state")).containsText("normal");
            assertThat(page.locator(".liveness")).hasText("Live");
            plant.values("\"101\":80");
            assertThat(row(page, "twice").locator(".value")).hasText("160");
            visit.picture("models");
            plant.values("\"101\":75.5");
            assertThat(row(page, "twice").locator(".value")).hasText("151");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void an_action_is_ordered_and_what_became_of_it_is_said() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/models#tr_1")) {
            Page page = visit.page();
            page.locator("#action-fan").fill("1");
            page.locator("form.order button").click();
            assertThat(page.locator("#told")).containsText("was ordered, as command");
            assertThat(page.locator("mr-models")).containsText("Last: fan = 1, pending");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void it_fits_a_narrow_and_dark_screen_with_one_list_at_a_time() {
        try (Visit visit =
                Visit.to(chromium.browser(), hub.url() + "/ui/models", 390, ColorScheme.DARK)) {
            Page page = visit.page();
            page.locator("ul.channels a").first().click();
            assertThat(row(page, "temperature")).isVisible();
            assertThat(page.locator("#models-title")).isHidden();
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            visit.picture("models-phone");
            visit.mustBeFreeOfTrouble();
        }
    }
}
