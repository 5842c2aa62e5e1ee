package dev.millrace.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.TimeoutError;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The page of a hub, in a browser. */
class PageTest {
    /** Far away: only a hang reaches it. */
    private static final double PATIENCE_MILLIS = 60_000;

    @TempDir private static Path directory;
    private static Chromium chromium;
    private static RunningHub hub;

    @BeforeAll
    static void start() throws Exception {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        // Something to be measured.
        RunningHub.line(directory, "token", "create", "grafana", "--role", "viewer");
        chromium = new Chromium();
        hub = RunningHub.start(directory);
    }

    @AfterAll
    static void stop() throws Exception {
        chromium.close();
        hub.close();
    }

    @Test
    void it_shows_health_and_rates_without_any_trouble() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/")) {
            Page page = visit.page();
            assertThat(page.locator("#health-title")).containsText("Ready");
            // The page itself asks every two seconds, so it is never nothing.
            assertThat(page.locator("mr-rates .tile").first())
                    .hasText(Pattern.compile("(0\\.[1-9]|[1-9][0-9]*\\.?[0-9]?) /s"));
            assertThat(page.locator("mr-rates .chart svg")).isVisible();
            assertThat(page.locator("#catalogue tbody").first()).isVisible();
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void memory_is_measured_with_a_key_and_the_catalogue_has_the_counts() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui")) {
            Page page = visit.page();
            Locator measure = page.locator("#measure");
            assertThat(measure).isEnabled();
            measure.focus();
            page.keyboard().press("Enter");
            assertThat(page.locator("mr-memory .chart svg")).isVisible();
            page.locator("mr-memory summary").click();
            assertThat(page.locator("#memory-table tbody tr").first()).isVisible();
            assertThat(page.locator("mr-catalogue [role=status]")).containsText("Counted");
            page.locator("#filter").fill("access token");
            assertThat(page.locator("#catalogue tr:not(.room) td.n").first())
                    .hasText(Pattern.compile("[0-9]+"));
            visit.picture("light");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_check_is_run_and_finds_nothing() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/")) {
            Locator check = visit.page().locator("#check");
            assertThat(check).isEnabled();
            check.click();
            assertThat(visit.page().locator("mr-fsck")).containsText("Nothing is wrong");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void the_filter_leaves_what_fits() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/")) {
            Page page = visit.page();
            Locator rows = page.locator("#catalogue tr:not(.room) td.keys");
            assertThat(rows.first()).isVisible();
            int all = rows.count();
            page.locator("#filter").fill("cart");
            assertThat(rows).not().hasCount(all);
            assertThat(rows.allInnerTexts()).isNotEmpty();
            assertThat(page.locator("#catalogue")).containsText("cart:");
            assertThat(page.locator("#catalogue")).not().containsText("event:created");
            page.locator("#filter").fill("nothing is called so");
            assertThat(page.locator("mr-catalogue")).containsText("Nothing fits");
            assertThat(rows).hasCount(0);
        }
    }

    @Test
    void it_fits_a_narrow_and_dark_screen() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/", 390, ColorScheme.DARK)) {
            Page page = visit.page();
            assertThat(page.locator("#catalogue tbody").first()).isVisible();
            assertThat(page.locator("mr-rates .chart svg")).isVisible();
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            visit.picture("narrow-dark", false);
            page.locator("#catalogue").scrollIntoViewIfNeeded();
            visit.picture("narrow-dark-keys", false);
            visit.mustBeFreeOfTrouble();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1280, 390})
    void charts_cut_no_number_and_no_name(int width) {
        try (Visit visit =
                Visit.to(chromium.browser(), hub.url() + "/", width, ColorScheme.LIGHT)) {
            Page page = visit.page();
            assertThat(page.locator("mr-rates .chart svg")).isVisible();
            page.evaluate(
                    """
                    () => {
                        const rates = document.querySelector('mr-rates');
                        // Times that are the same in every run: where the marks stand depends on them.
                        rates.end();
                        rates.points = [0, 1, 2].map(i => (
                            { at: new Date(2026, 0, 1, 12, 0, 2 * i), http: 12345, redis: 1234567 }));
                        rates.requestUpdate();
                    }\
                    """);
            assertThat(page.locator("mr-rates .chart text").getByText("1,500,000")).isVisible();
            nothingIsCut(page, "mr-rates");

            assertThat(page.locator("#measure")).isEnabled();
            page.route("**/ops/memory", PageTest::withALongName);
            page.locator("#measure").click();
            assertThat(page.locator("mr-memory .chart text").getByText("a layout with").first())
                    .isVisible();
            nothingIsCut(page, "mr-memory");
            // Until it is at rest: whoever answers for the hub must not be asked when the page is
            // gone.
            assertThat(page.locator("#measure")).isEnabled();
            page.unroute("**/ops/memory");
            visit.picture("charts-" + width);
            visit.mustBeFreeOfTrouble();
        }
    }

    /** Whatever was measured, and something large with a long name. */
    private static void withALongName(Route route) {
        APIResponse measured = route.fetch();
        String part =
                """
                {"name":"a layout with quite a long name, indeed","keys":1,\
                "bytes":9e9,"values":6e9,"indexes":3e9,"growth":null}\
                """;
        route.fulfill(
                new Route.FulfillOptions()
                        .setResponse(measured)
                        .setBody(
                                measured.text()
                                        .replace("\"parts\":[{", "\"parts\":[" + part + ",{")));
    }

    /** Once it has come to rest: a chart fades from what it showed before. */
    private static void nothingIsCut(Page page, String element) {
        try {
            page.waitForCondition(() -> cut(page, element).equals(List.of()));
        } catch (TimeoutError e) {
            throw new AssertionError("Cut or upon each other: " + cut(page, element), e);
        }
    }

    /** The texts of a chart that stand out of it, or upon each other. */
    private static Object cut(Page page, String element) {
        return page.evaluate(
                """
                element => {
                    const texts = [...document.querySelectorAll(element + ' .chart svg text')]
                        .filter(text => text.textContent)
                        .map(text => ({ said: text.textContent, at: text.getBoundingClientRect() }));
                    const chart = document.querySelector(element + ' .chart svg').getBoundingClientRect();
                    const out = texts.filter(({ at }) => at.left < chart.left - 1 || at.right > chart.right + 1
                        || at.top < chart.top - 1 || at.bottom > chart.bottom + 1);
                    const met = texts.filter((one, i) => texts.some((other, j) => i < j
                        && one.at.left < other.at.right && other.at.left < one.at.right
                        && one.at.top + 2 < other.at.bottom && other.at.top + 2 < one.at.bottom));
                    return [...out, ...met].map(({ said }) => said);
                }\
                """,
                element);
    }

    @Test
    void the_description_of_the_api_is_shown_without_any_trouble() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/docs")) {
            Page page = visit.page();
            assertThat(page.locator("#docs .opblock").first()).isVisible();
            assertThat(page.locator("#docs")).containsText("/health/ready");
            page.locator("#docs .opblock", new Page.LocatorOptions().setHasText("/health/ready"))
                    .first()
                    .click();
            assertThat(page.locator("#docs .opblock-body").first()).isVisible();
            visit.picture("docs");
            visit.mustBeFreeOfTrouble();
        }
    }
}
