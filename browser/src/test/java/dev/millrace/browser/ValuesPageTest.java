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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The page of values, while devices send them. */
class ValuesPageTest {
    /** Far away: only a hang reaches it. */
    private static final double PATIENCE_MILLIS = 60_000;

    private static final int MANY = 1000;

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
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/values")) {
            assertThat(visit.page().locator(".curl")).containsText(hub.url() + "/api/channels/1/T");
            visit.picture("values-empty");
            visit.mustBeFreeOfTrouble();
        }
        plant.send(
                "POST",
                "/api/channels",
                """
                {"id":1,"name":"Boiler <b>house</b>","protocol":"virtual",
                 "parameters":{"offline_after":86400},"points":{"T":[
                    {"point_id":101,"signal_name":"Boiler temperature","unit":"°C"},
                    {"point_id":102,"signal_name":"A pump with quite a long name, indeed"}]}}\
                """);
        plant.values("\"101\":85.5,\"102\":3.2");
    }

    @AfterAll
    static void stop() {
        plant.close();
        chromium.close();
        hub.close();
    }

    @Test
    void values_change_in_their_places() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/values")) {
            Page page = visit.page();
            page.locator("mr-channels a").first().click();
            assertThat(page.locator("#points-title")).hasText("Boiler <b>house</b>");
            Locator row = row(page, "101");
            assertThat(row.locator(".value")).hasText("85.5");
            assertThat(row).containsText("Boiler temperature");
            assertThat(row.locator(".unit")).hasText("°C");
            assertThat(row.locator(".quality")).hasText("good");
            assertThat(page.locator(".liveness")).hasText("Live");
            page.evaluate("window.cell = document.querySelector('table.points td.value')");

            plant.values("\"101\":86.25");

            assertThat(row.locator(".value")).hasText("86.25");
            assertThat(page.evaluate("cell.isConnected && cell.textContent")).isEqualTo("86.25");
            plant.values("\"7001\":1");
            assertThat(row(page, "7001").locator(".value")).hasText("1");
            assertThat(page.evaluate("cell.isConnected && cell.textContent")).isEqualTo("86.25");
            visit.picture("values");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void of_many_points_a_part_is_drawn_and_a_filter_finds_the_others() {
        plant.send(
                "POST",
                "/api/channels/2/T",
                IntStream.rangeClosed(1, MANY)
                        .mapToObj("\"%d\":0"::formatted)
                        .collect(Collectors.joining(",", "{", "}")));
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/values#2")) {
            Page page = visit.page();
            assertThat(page.locator("table.points tbody tr")).hasCount(100);
            assertThat(page.locator(".pager")).containsText("1 to 100 of 1,000");
            page.getByText("Next").click();
            assertThat(row(page, "101")).isVisible();
            page.locator("mr-points input").fill("999");
            assertThat(page.locator("table.points tbody tr")).hasCount(1);
            plant.send("POST", "/api/channels/2/T", "{\"999\":12.5}");
            assertThat(row(page, "999").locator(".value")).hasText("12.5");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void it_fits_a_narrow_and_dark_screen_with_one_list_at_a_time() {
        try (Visit visit =
                Visit.to(chromium.browser(), hub.url() + "/ui/values", 390, ColorScheme.DARK)) {
            Page page = visit.page();
            page.locator("mr-channels a").first().click();
            assertThat(row(page, "101")).isVisible();
            assertThat(page.locator("#channels-title")).isHidden();
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            visit.picture("values-narrow-dark");
            page.getByText("← Channels").click();
            assertThat(page.locator("#channels-title")).isVisible();
            assertThat(row(page, "101")).hasCount(0);
            visit.mustBeFreeOfTrouble();
        }
    }

    private static Locator row(Page page, String point) {
        return page.locator("table.points tbody tr")
                .filter(
                        new Locator.FilterOptions()
                                .setHas(
                                        page.locator(
                                                "td.id",
                                                new Page.LocatorOptions()
                                                        .setHasText(
                                                                Pattern.compile(
                                                                        "^T " + point + "$")))));
    }
}
