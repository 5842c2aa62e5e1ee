package dev.millrace.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The page of history: series are chosen, looked at closely, and saved. */
class HistoryPageTest {
    /** Far away: only a hang reaches it. */
    private static final double PATIENCE_MILLIS = 60_000;

    private static final long STEP = 10_000;
    private static final int SAMPLES = 4320;

    /** Half a day, one sample each ten seconds, until some minutes ago. */
    private static final long START =
            (System.currentTimeMillis() / STEP) * STEP - SAMPLES * STEP - 300_000;

    private static final String ALL = "&from=" + START + "&to=" + (START + SAMPLES * STEP);

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
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/history")) {
            assertThat(visit.page().locator(".curl")).containsText(hub.url() + "/api/channels/1/T");
            visit.picture("history-empty");
            visit.mustBeFreeOfTrouble();
        }
        StringBuilder samples = new StringBuilder("{\"samples\":[");
        for (int i = 0; i < SAMPLES; i++) {
            sample(samples, "101", i, 40 + 30 * Math.sin(i / 300.0));
            sample(samples, "102", i, 9000 + i);
        }
        samples.setLength(samples.length() - 1);
        plant.send("POST", "/api/history/samples", samples.append("]}").toString());
    }

    private static void sample(StringBuilder samples, String field, int i, double value) {
        samples.append("{\"source\":\"comsrv\",\"id\":1,\"field\":\"")
                .append(field)
                .append("\",\"ts\":")
                .append(START + i * STEP)
                .append(",\"value\":")
                .append(value)
                .append("},");
    }

    @AfterAll
    static void stop() {
        plant.close();
        chromium.close();
        hub.close();
    }

    private static Locator choice(Page page, String name) {
        return page.locator("ul.series label")
                .filter(new Locator.FilterOptions().setHasText(name))
                .locator("input");
    }

    private static Locator figures(Page page, String name) {
        return page.locator("table.figures tbody tr")
                .filter(new Locator.FilterOptions().setHasText(name));
    }

    /** What the chart was told to draw. */
    private static Object option(Page page, String what) {
        return page.evaluate(
                "() => { const option ="
                        + " document.querySelector('mr-history').chart.chart.getOption(); return "
                        + what
                        + "; }");
    }

    @Test
    void series_are_chosen_each_on_the_axis_that_fits() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/history#" + ALL)) {
            Page page = visit.page();
            choice(page, "comsrv:1:101").check();
            assertThat(figures(page, "comsrv:1:101").locator("td").nth(2))
                    .hasText(Pattern.compile("69\\.99+|70"));
            choice(page, "comsrv:1:102").check();
            assertThat(figures(page, "comsrv:1:102")).isVisible();
            assertThat(option(page, "option.yAxis.length")).isEqualTo(1);
            figures(page, "comsrv:1:102").locator("select").selectOption("2");
            page.waitForCondition(
                    () -> Integer.valueOf(2).equals(option(page, "option.yAxis.length")));
            assertThat(option(page, "option.yAxis.map(axis => axis.position)"))
                    .isEqualTo(List.of("left", "right"));
            assertThat(option(page, "option.series.map(each => each.yAxisIndex)"))
                    .isEqualTo(List.of(0, 1));
            assertThat(page.locator(".chart svg")).isVisible();
            visit.picture("history");
            page.reload();
            assertThat(choice(page, "comsrv:1:102")).isChecked();
            assertThat(figures(page, "comsrv:1:102").locator("select")).hasValue("2");
            figures(page, "comsrv:1:101").locator("button").click();
            assertThat(figures(page, "comsrv:1:101")).hasCount(0);
            page.waitForCondition(
                    () -> Integer.valueOf(1).equals(option(page, "option.series.length")));
            visit.mustBeFreeOfTrouble();
        }
    }

    /** Where what is shown begins, as the address says it. */
    private static long from(Page page) {
        String address = page.url();
        return address.contains("from=")
                ? Long.parseLong(address.replaceAll(".*from=(-?[0-9]+).*", "$1"))
                : START;
    }

    @Test
    void who_turns_the_wheel_gets_the_same_time_more_finely() {
        try (Visit visit =
                Visit.to(chromium.browser(), hub.url() + "/ui/history#series=comsrv:1:102" + ALL)) {
            Page page = visit.page();
            assertThat(page.locator("#resolution")).containsText("one value for each 60 s");
            page.locator(".chart").hover();
            // One turn may be over before the page shows it, so no end of it is waited for.
            page.waitForCondition(
                    () -> {
                        page.mouse().wheel(0, -200);
                        return !page.locator("#resolution").innerText().contains("each 60 s");
                    });
            page.waitForCondition(() -> from(page) > START);
            long finest = from(page);
            page.waitForCondition(
                    () -> {
                        page.getByText("Zoom out").click();
                        return from(page) < finest;
                    });
            page.getByText("1 h", new Page.GetByTextOptions().setExact(true)).click();
            assertThat(page.locator(".choice[aria-pressed=true]")).hasText("1 h");
            assertThat(page.locator("#resolution")).containsText("one value for each 5 s");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_time_is_typed_windows_are_worked_out_otherwise_and_the_samples_are_saved()
            throws Exception {
        try (Visit visit =
                Visit.to(chromium.browser(), hub.url() + "/ui/history#series=comsrv:1:102" + ALL)) {
            Page page = visit.page();
            page.locator("#aggregation").selectOption("count");
            // Six in a minute.
            assertThat(figures(page, "comsrv:1:102").locator("td").nth(2)).hasText("6");
            Download saved = page.waitForDownload(() -> page.locator("#csv").click());
            assertThat(saved.suggestedFilename()).isEqualTo("history.csv");
            List<String> lines = Files.readAllLines(saved.path());
            assertThat(lines).hasSize(SAMPLES + 1);
            assertThat(lines.getFirst()).isEqualTo("source,id,field,ts,value");
            assertThat(lines.getLast()).endsWith("," + (9000 + SAMPLES - 1));
            page.locator("input[name=from]").fill("2020-01-01T00:00:01");
            page.locator("input[name=to]").fill("2020-01-02T00:00:01");
            page.locator("form.range button").first().click();
            assertThat(page.locator("#resolution")).hasText("There are no numbers in this time.");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_time_of_which_values_are_missing_is_shown() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/history#" + ALL)) {
            Page page = visit.page();
            String gap =
                    """
                    {"success":true,"data":{"items":[
                      {"topic":"telemetry","shard":0,"from":%d,"to":%d,"facts":1234}]}}\
                    """
                            .formatted(START + 100 * STEP, START + 400 * STEP);
            page.route(
                    "**/api/history/gaps",
                    route -> route.fulfill(new Route.FulfillOptions().setBody(gap)));
            choice(page, "comsrv:1:101").check();
            assertThat(page.locator("p.gap")).containsText("1,234 writes came");
            page.waitForCondition(
                    () ->
                            Integer.valueOf(1)
                                    .equals(option(page, "option.series[0].markArea.data.length")));
            page.unroute("**/api/history/gaps");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void it_fits_a_narrow_and_dark_screen() {
        try (Visit visit =
                Visit.to(
                        chromium.browser(),
                        hub.url() + "/ui/history#series=comsrv:1:101,comsrv:1:102@2" + ALL,
                        390,
                        ColorScheme.DARK)) {
            Page page = visit.page();
            assertThat(figures(page, "comsrv:1:101")).isVisible();
            assertThat(page.locator(".chart svg")).isVisible();
            visit.picture("history-narrow-dark");
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            visit.mustBeFreeOfTrouble();
        }
    }
}
