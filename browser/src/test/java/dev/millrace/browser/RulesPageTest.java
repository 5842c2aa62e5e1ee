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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** The page of rules: how they ran, how they are written, what they would have done. */
class RulesPageTest {
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
        plant.values("\"101\":20,\"102\":5");
        rule(
                "fan",
                """
                "name":"Fan <b>on</b>","trigger":"data_change","condition":{"source":"comsrv:1:T:101","operator":">","threshold":80},
                "actions":[{"type":"set_value","target":"rulesrv:value:fan","value":1}]\
                """);
        rule(
                "flow",
                """
                "trigger":"manual","nodes":[{"id":"in","type":"input","config":{"source":"comsrv:1:T:101"}},
                {"id":"high","name":"Is it high?","type":"condition","config":{"expression":"$in > 50"}},
                {"id":"act","type":"action","config":{"type":"log","message":"{in}"}},
                {"id":"calm","type":"action","config":{"type":"log","message":"calm"}}],
                "edges":[{"from":"in","to":"high"},{"from":"high","to":"act","condition":"true"},{"from":"high","to":"calm","condition":"false"}]\
                """);
    }

    @AfterAll
    static void stop() {
        plant.close();
        chromium.close();
        hub.close();
    }

    private static void rule(String id, String text) {
        plant.send("POST", "/api/rules", "{\"id\":\"" + id + "\"," + text + "}");
    }

    private static Visit at(String rule) {
        return Visit.to(chromium.browser(), hub.url() + "/ui/rules#" + rule);
    }

    private static Locator line(Page page, String text) {
        return page.locator("ul.channels li")
                .filter(new Locator.FilterOptions().setHasText(text))
                .first();
    }

    @Test
    void a_run_appears_by_itself_and_is_drawn_with_what_it_saw() {
        try (Visit visit = at("")) {
            Page page = visit.page();
            line(page, "Fan <b>on</b>").click();
            assertThat(page.locator("#rule-title")).hasText("Fan <b>on</b>");
            plant.values("\"101\":85.5");
            Locator run = page.locator("ul.runs li").first();
            assertThat(run.locator(".state")).hasText("acted");
            run.locator("button.run").click();
            Locator picture = page.locator("svg.flow");
            assertThat(picture).containsText("saw 85.5 → true");
            assertThat(picture.locator("g.completed")).hasCount(3);
            assertThat(picture).containsText("rulesrv:value:fan");
            assertThat(line(page, "Fan <b>on</b>").locator(".since")).containsText("ran");
            visit.picture("rules");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_flow_is_drawn_with_the_way_that_was_taken() {
        try (Visit visit = at("flow")) {
            Page page = visit.page();
            page.locator("#run").click();
            assertThat(page.locator("#told")).hasText("It ran.");
            page.locator("ul.runs button.run").first().click();
            Locator picture = page.locator("svg.flow");
            assertThat(picture).containsText("Is it high?");
            assertThat(picture.locator("g.node")).hasCount(4);
            assertThat(picture.locator("g.skipped")).hasCount(1);
            assertThat(picture.locator("path.edge")).hasCount(3);
            visit.picture("rule-flow");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_rule_is_made_with_the_form_changed_as_text_and_disabled() {
        try (Visit visit = at("")) {
            Page page = visit.page();
            page.locator("#new-rule").click();
            page.locator("form.simple [name=name]").fill("Pump");
            page.locator("form.simple [name=source]").fill("comsrv:1:T:102");
            page.locator("form.simple [name=limit]").fill("7.5");
            page.locator("form.simple [name=target]").fill("rulesrv:value:pump");
            Locator text = page.locator("#rule-json");
            assertThat(text).hasValue(Pattern.compile(".*\"threshold\": 7.5.*", Pattern.DOTALL));
            assertThat(page.locator("#rule-check"))
                    .hasText("It can be saved. Now it would not act.");
            page.locator("#save").click();
            assertThat(page.locator("#rule-title")).hasText("Pump");
            assertThat(page.locator("#rule-state")).containsText("enabled");

            page.locator("#part-edit").click();
            text.fill(text.inputValue().replace("\"Pump\"", "\"Big pump\""));
            assertThat(page.locator("form.simple [name=name]")).hasValue("Big pump");
            assertThat(page.locator("#rule-check")).containsText("It can be saved.");
            visit.picture("rule-editor");
            page.locator("#save").click();
            assertThat(page.locator("#rule-title")).hasText("Big pump");
            page.locator("#disable").click();
            assertThat(page.locator("#rule-state")).containsText("disabled");
            visit.mustBeFreeOfTrouble();

            page.locator("#delete").click();
            page.locator("dialog button.main").click();
            assertThat(line(page, "Big pump")).hasCount(0);
        }
    }

    @Test
    void what_is_wrong_with_a_rule_is_said_while_it_is_typed() {
        try (Visit visit = at("fan")) {
            Page page = visit.page();
            page.locator("#part-edit").click();
            Locator text = page.locator("#rule-json");
            text.fill("{\"condition\": ");
            assertThat(page.locator("#rule-check")).containsText("This is not JSON yet");
            assertThat(page.locator("#save")).isDisabled();
            text.fill("{\"condition\":\"1 >\",\"actions\":[{\"type\":\"log\",\"message\":\"m\"}]}");
            assertThat(page.locator("#rule-check")).containsText("condition:");
            text.fill("{\"condition\":\"true\",\"actions\":[{\"type\":\"fly\"}]}");
            assertThat(page.locator("#rule-check")).containsText("actions[0].type");
            assertThat(page.locator("#save")).isDisabled();
            // Nothing of it was stored.
            assertThat(plant.send("GET", "/api/rules/fan", "")).contains("\"threshold\":80");
        }
    }

    @Test
    void a_rehearsal_stands_as_marks_on_the_history() {
        Instant start = Instant.now().minus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.HOURS);
        StringBuilder samples = new StringBuilder();
        for (int minute = 0; minute < 60; minute++) {
            samples.append(minute == 0 ? "" : ",")
                    .append(
                            "{\"source\":\"comsrv\",\"id\":\"1\",\"field\":\"105\",\"ts\":%d,\"value\":%d}"
                                    .formatted(
                                            start.plusSeconds(60L * minute).toEpochMilli(),
                                            minute % 20 * 5));
        }
        plant.send("POST", "/api/history/samples", "{\"samples\":[" + samples + "]}");
        rule(
                "past",
                """
                "trigger":"data_change","trigger_mode":"edge","condition":{"source":"comsrv:1:T:105","operator":">","threshold":80},
                "actions":[{"type":"device_control","channel_id":1,"point_id":20,"value":1}]\
                """);
        try (Visit visit = at("past")) {
            Page page = visit.page();
            page.locator("#part-rehearse").click();
            page.locator("#rehearse").click();
            assertThat(page.locator("#rehearsal-summary")).containsText("3 times");
            assertThat(page.locator("table.firings tbody tr")).hasCount(3);
            assertThat(page.locator("table.firings tbody tr").first())
                    .containsText("comsrv:1:T:105 = 85");
            assertThat(page.locator("table.firings tbody tr").first()).containsText("3 min");
            assertThat(page.locator("mr-rule-rehearsal")).containsText("comsrv:1:C:20 (3 times)");
            assertThat(page.locator(".chart svg")).isVisible();
            assertThat(
                            page.evaluate(
                                    "document.querySelector('mr-rule-rehearsal').chart.chart.getOption().series.map(s"
                                        + " => s.data.length).join(' ')"))
                    .asString()
                    .endsWith(" 3 0")
                    .doesNotStartWith("0 ");
            visit.picture("rule-rehearsal");

            // As it is being edited, before anybody saves it.
            page.locator("#part-edit").click();
            Locator limit = page.locator("form.simple [name=limit]");
            limit.fill("200");
            assertThat(page.locator("#rule-check")).containsText("It can be saved.");
            page.locator("#part-rehearse").click();
            page.locator("#rehearse").click();
            assertThat(page.locator("#rehearsal-summary")).containsText("0 times");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_long_rehearsal_says_how_far_it_is_and_is_cancelled() {
        rule(
                "restless",
                """
                "trigger":{"type":"interval","interval_ms":100},"enabled":false,"condition":{"source":"comsrv:1:T:101","operator":">","threshold":80},
                "actions":[{"type":"log","message":"m"}]\
                """);
        try (Visit visit = at("restless")) {
            Page page = visit.page();
            page.locator("#part-rehearse").click();
            page.locator("form.rehearse [name=start]")
                    .fill(
                            Instant.now()
                                    .minus(300, ChronoUnit.DAYS)
                                    .truncatedTo(ChronoUnit.SECONDS)
                                    .toString()
                                    .replace("Z", ""));
            page.locator("#rehearse").click();
            assertThat(page.locator("#progress")).isVisible();
            page.locator("#cancel").click();
            assertThat(page.locator("#progress")).hasCount(0);
            assertThat(page.locator("#rehearse")).isEnabled();
            assertThat(page.locator("#rehearsal-summary")).hasCount(0);
        }
    }

    @Test
    void it_fits_a_narrow_and_dark_screen_with_one_list_at_a_time() {
        try (Visit visit =
                Visit.to(chromium.browser(), hub.url() + "/ui/rules", 390, ColorScheme.DARK)) {
            Page page = visit.page();
            line(page, "flow").click();
            assertThat(page.locator("#rule-title")).hasText("flow");
            assertThat(page.locator("#rules-title")).isHidden();
            page.locator("#part-edit").click();
            assertThat(page.locator("#rule-json")).isVisible();
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            visit.picture("rules-phone");
            visit.mustBeFreeOfTrouble();
        }
    }
}
