package dev.millrace.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The page of alarms, while devices send values. */
class AlarmsPageTest {
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
    }

    @AfterAll
    static void stop() {
        plant.close();
        chromium.close();
        hub.close();
    }

    @AfterEach
    void forget() {
        plant.forgetRules();
    }

    @Test
    void an_alarm_raised_by_a_value_appears_by_itself_and_is_acknowledged_by_a_click() {
        plant.rule("boiler", 101, 85, "Critical", "Boiler is at {value} degrees");
        try (Visit visit = live(1280, ColorScheme.LIGHT)) {
            Page page = visit.page();
            page.evaluate("window.sameDocument = true");
            plant.values("\"101\":86.2");
            Locator row = row(page, "Boiler is at 86.2 degrees");
            assertThat(row.locator(".level")).hasText("Critical");
            assertThat(row.locator(".state")).hasText("Unacknowledged");
            assertThat(page).hasTitle("(1) Alarms – Millrace");

            // The value that raised it stays, and beside it stands the present one.
            plant.values("\"101\":91.5");
            assertThat(row.locator(".reading.now")).hasText("91.5");
            assertThat(row.locator(".reading").first()).hasText("86.2");

            row.getByText("Acknowledge", exact()).click();

            assertThat(row.locator(".state")).containsText("Acknowledged by");
            assertThat(row.getByText("Acknowledge", exact())).hasCount(0);
            assertThat(page).hasTitle("Alarms – Millrace");
            assertThat(plant.alarm("boiler")).contains("\"state\":\"ACKED\"");
            assertThat(page.locator("mr-alarm-events .kind").first()).hasText("acknowledged");
            assertThat(page.evaluate("window.sameDocument")).isEqualTo(true);

            plant.values("\"101\":20");
            // It stays where it was for a moment, and goes by itself.
            assertThat(row).hasCount(0);
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void what_ended_before_anybody_saw_it_waits_for_an_acknowledgement() {
        plant.rule("spike", 102, 10, "Minor", "Pressure spike");
        try (Visit visit = live(1280, ColorScheme.LIGHT)) {
            plant.values("\"102\":11");
            plant.values("\"102\":9");
            Locator row = row(visit.page(), "Pressure spike");
            assertThat(row.locator(".state")).hasText("Ended, unacknowledged");
            Locator acknowledge = row.getByText("Acknowledge", exact());
            acknowledge.focus();
            visit.page().keyboard().press("Enter");
            assertThat(row.locator(".state")).hasText("Ended");
            assertThat(row.locator(".title")).isFocused();
            assertThat(plant.alarm("spike")).contains("\"state\":\"NORM\"");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_shelved_alarm_is_found_among_the_shelved_ones_and_comes_back() {
        plant.rule("door", 103, 0, "Warning", "Door is open");
        plant.values("\"103\":1");
        try (Visit visit = live(1280, ColorScheme.LIGHT)) {
            Page page = visit.page();
            Locator row = row(page, "Door is open");
            row.getByText("Shelve", exact()).click();
            Locator dialog = page.getByRole(AriaRole.DIALOG);
            dialog.getByText("8 hours").check();
            dialog.locator("[name=reason]").fill("being painted");
            visit.picture("shelve", false);
            page.keyboard().press("Enter");
            assertThat(row).hasCount(0);
            assertThat(plant.alarm("door"))
                    .contains("\"state\":\"SHELVED\"", "\"shelve_reason\":\"being painted\"");

            page.locator(".choice", new Page.LocatorOptions().setHasText("Shelved")).click();
            assertThat(row.locator(".state")).containsText("Shelved until");
            row.getByText("Unshelve", exact()).click();
            page.locator(".choice", new Page.LocatorOptions().setHasText("Open")).click();
            assertThat(row.locator(".state")).hasText("Unacknowledged");
            assertThat(plant.alarm("door")).contains("\"state\":\"UNACK\"");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void details_show_the_rule_and_a_note_is_kept() {
        plant.rule("level", 104, 50, "Major", "Tank is too full");
        plant.values("\"104\":60");
        try (Visit visit = live(1280, ColorScheme.LIGHT)) {
            Locator row = row(visit.page(), "Tank is too full");
            row.locator(".title").click();
            assertThat(row.locator("mr-alarm-details")).containsText("comsrv:1:T 104 is > 50");
            assertThat(row.locator("mr-alarm-details .kind").first()).hasText("raised");
            plant.values("\"104\":61.5");
            assertThat(row.locator("mr-alarm-details dl")).containsText("61.5");
            row.locator("[name=note]").fill("pump is on its way");
            visit.page().keyboard().press("Enter");
            assertThat(row.locator("mr-alarm-details dl")).containsText("“pump is on its way”");
            visit.picture("alarm-details");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_hostile_title_is_text() {
        String hostile = "<img src=x onerror='hacked=1'><b>${hacked=1}</b>";
        plant.rule("hostile", 105, 0, "Info", hostile);
        plant.values("\"105\":1");
        try (Visit visit = live(390, ColorScheme.LIGHT)) {
            Page page = visit.page();
            Locator row = row(page, hostile);
            row.locator(".title").click();
            assertThat(row.locator("mr-alarm-details .kind").first()).isVisible();
            row.getByText("Shelve", exact()).click();
            assertThat(page.getByRole(AriaRole.DIALOG)).containsText(hostile);
            assertThat(page.locator("mr-alarm-events .name", containing(hostile)).first())
                    .isVisible();
            assertThat(page.locator("main img, main b")).hasCount(0);
            assertThat(page.evaluate("typeof hacked")).isEqualTo("undefined");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_page_that_is_cut_off_says_so_and_catches_up() {
        plant.rule("late", 106, 0, "Info", "While nobody was connected");
        try (Visit visit = live(1280, ColorScheme.LIGHT)) {
            Page page = visit.page();
            page.context().setOffline(true);
            // What a dead network does sooner or later.
            page.evaluate("document.querySelector('mr-alarms').live.abort.abort()");
            assertThat(page.locator(".liveness")).containsText("Not live since");
            plant.values("\"106\":1");
            page.context().setOffline(false);
            assertThat(page.locator(".liveness")).hasText("Live");
            assertThat(row(page, "While nobody was connected")).isVisible();
        }
    }

    @Test
    void what_is_refused_is_told_where_it_was_tried() {
        plant.rule("gone", 107, 0, "Info", "Soon forgotten");
        plant.values("\"107\":1");
        try (Visit visit = live(1280, ColorScheme.LIGHT)) {
            Page page = visit.page();
            Locator row = row(page, "Soon forgotten");
            page.route("**/api/alarms/gone/acknowledge", route -> route.abort());
            row.getByText("Acknowledge", exact()).click();
            assertThat(row.getByRole(AriaRole.ALERT))
                    .hasText("The hub does not answer. Is it running?");
            assertThat(row.locator(".state")).hasText("Unacknowledged");
            page.unroute("**/api/alarms/gone/acknowledge");
            row.getByText("Acknowledge", exact()).click();
            assertThat(row.locator(".state")).containsText("Acknowledged");
            assertThat(row.getByRole(AriaRole.ALERT)).hasCount(0);
        }
    }

    @Test
    void it_fits_a_narrow_and_dark_screen() {
        plant.rule("wide", 108, 0, "Major", "x".repeat(200));
        plant.values("\"108\":1");
        try (Visit visit = live(390, ColorScheme.DARK)) {
            Page page = visit.page();
            Locator row = row(page, "x".repeat(200));
            row.locator(".title").click();
            assertThat(row.locator("mr-alarm-details .kind").first()).isVisible();
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            visit.picture("alarms-narrow-dark");
            visit.mustBeFreeOfTrouble();
        }
    }

    private static Visit live(int width, ColorScheme scheme) {
        Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/alarms", width, scheme);
        assertThat(visit.page().locator(".liveness")).hasText("Live");
        return visit;
    }

    private static Locator row(Page page, String title) {
        return page.locator("mr-alarm", containing(title));
    }

    private static Page.LocatorOptions containing(String text) {
        return new Page.LocatorOptions().setHasText(text);
    }

    private static Locator.GetByTextOptions exact() {
        return new Locator.GetByTextOptions().setExact(true);
    }
}
