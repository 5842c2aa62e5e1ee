package dev.millrace.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The page of a hub that lets in who has a token. */
class TokenPageTest {
    private static final double PATIENCE_MILLIS = 60_000;

    @TempDir private Path directory;

    @Test
    void it_asks_for_a_token_and_goes_on_with_it() throws Exception {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        String admin = RunningHub.line(directory, "token", "create", "me", "--role", "admin");
        String viewer = RunningHub.line(directory, "token", "create", "tv", "--role", "viewer");
        assertThat(admin).startsWith("mr_");
        try (RunningHub hub = RunningHub.start(directory, "access.mode=token");
                Chromium chromium = new Chromium();
                Visit visit = Visit.to(chromium.browser(), hub.url() + "/")) {
            Page page = visit.page();
            assertThat(page.locator("#token-title")).isVisible();
            assertThat(page.locator("#health-title")).containsText("Ready");
            assertThat(page.locator("mr-rates")).hasCount(0);
            visit.picture("token");
            // Nothing was asked for that would have been refused.
            visit.mustBeFreeOfTrouble();

            give(page, "mr_wrong");
            assertThat(page.locator("[role=alert]")).containsText("not known here");

            give(page, viewer);
            assertThat(page.locator("mr-rates .tile").first()).containsText("/s");
            assertThat(page.locator("mr-memory [role=alert]")).containsText("needs the role admin");

            page.getByText("Forget token").click();
            give(page, admin);
            assertThat(page.locator("#catalogue tbody").first()).isVisible();
            assertThat(page.locator("#measure")).isEnabled();
            assertThat(page.content()).doesNotContain(admin);
        }
    }

    @Test
    void alarms_are_seen_by_a_viewer_and_acknowledged_by_an_operator() throws Exception {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        String viewer = RunningHub.line(directory, "token", "create", "tv", "--role", "viewer");
        String operator =
                RunningHub.line(directory, "token", "create", "anna", "--role", "operator");
        String engineer = RunningHub.line(directory, "token", "create", "bo", "--role", "engineer");
        try (RunningHub hub = RunningHub.start(directory, "access.mode=token");
                Plant plant = new Plant(hub.url(), engineer);
                Chromium chromium = new Chromium();
                Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/alarms")) {
            Page page = visit.page();
            assertThat(page.locator("#token-title")).isVisible();
            // Nothing was asked for that would have been refused.
            visit.mustBeFreeOfTrouble();
            give(page, viewer);
            assertThat(page.locator(".liveness")).hasText("Live");
            plant.rule("boiler", 101, 85, "Major", "Boiler is hot");
            plant.values("\"101\":86.2");
            assertThat(page.locator("mr-alarm")).containsText("Boiler is hot");
            page.locator("mr-alarm .acts").getByText("Acknowledge").click();
            assertThat(page.locator("mr-alarm [role=alert]")).containsText("operator");
            assertThat(page.locator("mr-alarm .state")).hasText("Unacknowledged");

            page.getByText("Forget token").click();
            assertThat(page.locator("mr-alarm")).hasCount(0);
            give(page, operator);
            page.locator("mr-alarm .acts").getByText("Acknowledge").click();
            assertThat(page.locator("mr-alarm .state")).hasText("Acknowledged by anna");

            page.navigate(hub.url() + "/ui/values#1");
            assertThat(page.locator("table.points .value").first()).isVisible();
            assertThat(page.locator("table.points td.value")).hasText("86.2");
            assertThat(page.locator(".liveness")).hasText("Live");
        }
    }

    private static void give(Page page, String token) {
        page.locator("#token").fill(token);
        page.locator("#token").press("Enter");
    }
}
