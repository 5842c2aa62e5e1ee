package dev.millrace.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** The page of channels, while simulated devices move and somebody orders something of them. */
class ChannelsPageTest {
    /** Far away: only a hang reaches it. */
    private static final double PATIENCE_MILLIS = 60_000;

    /** A line needs two of them. */
    private static final Pattern TWO_PLACES = Pattern.compile("^[\\d.]+,[\\d.]+ [\\d.]+,[\\d.]+.*");

    private static final String TANK =
            """
            {"id":1,"name":"Hot <i>liquor</i> tank","protocol":"virtual",
             "parameters":{"polling_interval_ms":100,"seed":3},"points":{
              "T":[{"point_id":1,"signal_name":"Level","unit":"%","mapping":{"signal":"ramp","max":50,"period":7}},
                   {"point_id":2,"signal_name":"Set temperature","unit":"°C","mapping":{"signal":"follows","type":"A","point":30}}],
              "S":[{"point_id":1,"signal_name":"Valve","states":{"0":"shut","1":"open"},
                    "mapping":{"signal":"follows","type":"C","point":20}}],
              "C":[{"point_id":20,"signal_name":"Valve <b>A</b>","states":{"0":"Shut","1":"Open"},"mapping":{"initial":0}},
                   {"point_id":21,"signal_name":"Locked","mapping":{"answer":"refused"}}],
              "A":[{"point_id":30,"signal_name":"Temperature","unit":"°C","min_value":10,"max_value":95,"mapping":{"initial":20}}]}}
            """;

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
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/channels")) {
            assertThat(visit.page().locator(".curl")).containsText(hub.url() + "/api/channels");
            visit.picture("channels-empty");
            visit.mustBeFreeOfTrouble();
        }
        plant.send("POST", "/api/channels", TANK);
        // Nobody speaks with this one: what it is ordered waits until it is taken back.
        plant.send(
                "POST",
                "/api/channels",
                """
                {"id":2,"name":"Meter","protocol":"other","parameters":{"offline_after":86400},
                 "points":{"C":[{"point_id":7,"signal_name":"Reset"}]}}
                """);
        plant.send("POST", "/api/channels/2/T", "{\"1\":1}");
    }

    @AfterAll
    static void stop() {
        plant.close();
        chromium.close();
        hub.close();
    }

    @BeforeEach
    void running() {
        plant.send("POST", "/api/channels/1/control", "{\"operation\":\"start\"}");
    }

    private static Visit toTheTank() {
        return Visit.to(chromium.browser(), hub.url() + "/ui/channels#1");
    }

    private static Locator point(Page page, String id) {
        return page.locator("table.points tbody tr")
                .filter(
                        new Locator.FilterOptions()
                                .setHas(
                                        page.locator(
                                                "td.id",
                                                new Page.LocatorOptions()
                                                        .setHasText(
                                                                Pattern.compile("^" + id + "$")))));
    }

    /** A control or a set point, by its name. */
    private static Locator order(Page page, String name) {
        return page.locator("ul.orders li").filter(new Locator.FilterOptions().setHasText(name));
    }

    private static void click(Locator within, String button) {
        within.locator("button")
                .filter(new Locator.FilterOptions().setHasText(Pattern.compile("^" + button + "$")))
                .click();
    }

    /** How many commands the tank has been given. */
    private static int given() {
        String commands = plant.send("GET", "/api/channels/1/commands", "");
        return (int) Pattern.compile("\"cmd_id\"").matcher(commands).results().count();
    }

    private static Locator latest(Page page) {
        return page.locator("ul.sent li").first();
    }

    // ---------------------------------------------------------------- looking

    @Test
    void how_a_device_is_doing_and_what_its_points_say() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/channels")) {
            Page page = visit.page();
            page.locator("mr-channels a").first().click();
            assertThat(page.locator("#points-title")).hasText("Hot <i>liquor</i> tank");
            assertThat(page.locator(".health .state")).hasText("online");
            assertThat(page.locator(".health .errors")).hasText("0");
            assertThat(page.locator(".liveness")).hasText("Live");
            Locator level = point(page, "T 1");
            assertThat(level).containsText("Level");
            assertThat(level.locator(".quality")).hasText("good");
            assertThat(level.locator(".spark polyline")).hasAttribute("points", TWO_PLACES);
            String before = level.locator(".value").textContent();
            assertThat(level.locator(".value")).not().hasText(before);
            assertThat(point(page, "S 1").locator(".unit")).hasText(Pattern.compile("shut|open"));
            visit.picture("channels");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_channel_is_stopped_and_started_when_it_is_meant() {
        try (Visit visit = toTheTank()) {
            Page page = visit.page();
            Locator operations = page.locator("div.operations");
            click(operations, "Stop");
            click(page.locator("mr-confirm.operations dialog"), "Cancel");
            click(operations, "Stop");
            assertThat(page.locator("mr-confirm.operations dialog"))
                    .containsText("Nobody reads its device any more");
            click(page.locator("mr-confirm.operations dialog"), "Stop");
            assertThat(page.locator(".health .state")).hasText("stopped");
            assertThat(point(page, "T 1").locator(".quality")).hasText("offline");
            click(operations, "Start");
            assertThat(page.locator(".health .state")).hasText("online");
            assertThat(point(page, "T 1").locator(".quality")).hasText("good");
            visit.mustBeFreeOfTrouble();
        }
    }

    // ---------------------------------------------------------------- ordering

    @Test
    void a_control_is_sent_when_it_is_meant_and_followed_to_its_end() {
        try (Visit visit = toTheTank()) {
            Page page = visit.page();
            Locator dialog = page.locator("mr-orders dialog");
            int before = given();
            click(order(page, "Valve <b>A</b>"), "Open");
            assertThat(dialog).containsText("Valve <b>A</b>: Open");
            visit.picture("channels-confirm");
            click(dialog, "Cancel");
            assertThat(dialog).isHidden();
            assertThat(page.locator("ul.sent li")).hasCount(0);

            click(order(page, "Valve <b>A</b>"), "Open");
            click(dialog, "Send");
            assertThat(latest(page).locator(".state")).hasText("completed");
            assertThat(latest(page)).containsText("Valve <b>A</b>: Open");
            assertThat(latest(page)).containsText("the device says Open");
            assertThat(point(page, "S 1").locator(".unit")).hasText("open");
            assertThat(page.locator("ul.sent li")).hasCount(1);
            assertThat(given()).as("what was not meant was not sent").isEqualTo(before + 1);
            visit.picture("channels-order");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void a_set_point_is_read_back_and_what_is_out_of_range_is_not_even_asked_about() {
        try (Visit visit = toTheTank()) {
            Page page = visit.page();
            Locator dialog = page.locator("mr-orders dialog");
            Locator field = order(page, "Temperature").locator("input");
            field.fill("96");
            click(order(page, "Temperature"), "Set");
            assertThat(dialog).isHidden();
            assertThat(page.evaluate("document.querySelector('ul.orders input').validity.valid"))
                    .isEqualTo(false);
            field.fill("72.5");
            click(order(page, "Temperature"), "Set");
            assertThat(dialog).containsText("Temperature: 72.5 °C");
            click(dialog, "Send");
            assertThat(latest(page).locator(".state")).hasText("completed");
            assertThat(latest(page)).containsText("the device says 72.5 °C");
            assertThat(point(page, "T 2").locator(".value")).hasText("72.5");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void what_a_device_refuses_is_said_with_its_reason() {
        try (Visit visit = toTheTank()) {
            Page page = visit.page();
            click(order(page, "Locked"), "1");
            click(page.locator("mr-orders dialog"), "Send");
            assertThat(latest(page).locator(".state")).hasText("failed");
            assertThat(latest(page)).containsText("REJECTED_BY_DEVICE");
            assertThat(latest(page)).containsText("configured to refuse");
            visit.mustBeFreeOfTrouble();
        }
    }

    @Test
    void what_waits_is_pending_and_what_is_taken_back_is_said_to_be() {
        try (Visit visit = Visit.to(chromium.browser(), hub.url() + "/ui/channels#2")) {
            Page page = visit.page();
            click(order(page, "Reset"), "1");
            click(page.locator("mr-orders dialog"), "Send");
            assertThat(latest(page).locator(".state")).hasText("pending");
            String commands = plant.send("GET", "/api/channels/2/commands", "");
            var id = Pattern.compile("\"cmd_id\":\"([^\"]+)\"").matcher(commands);
            assertThat(id.find()).as(commands).isTrue();
            plant.send("POST", "/api/commands/" + id.group(1) + "/cancel", "{}");
            assertThat(latest(page).locator(".state")).hasText("failed");
            assertThat(latest(page)).containsText("CANCELLED");
            visit.mustBeFreeOfTrouble();
        }
    }

    // ---------------------------------------------------------------- on a phone

    @Test
    void it_fits_a_narrow_and_dark_screen_with_one_list_at_a_time() {
        try (Visit visit =
                Visit.to(chromium.browser(), hub.url() + "/ui/channels", 390, ColorScheme.DARK)) {
            Page page = visit.page();
            page.locator("mr-channels a").first().click();
            assertThat(point(page, "T 1")).isVisible();
            assertThat(order(page, "Temperature")).isVisible();
            assertThat(page.locator("#channels-title")).isHidden();
            Locator name = order(page, "Temperature").locator(".name");
            Locator field = order(page, "Temperature").locator("input");
            assertThat(name.boundingBox().y + name.boundingBox().height)
                    .as("the field has a line of its own")
                    .isLessThanOrEqualTo(field.boundingBox().y);
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            visit.picture("channels-narrow-dark");
            visit.mustBeFreeOfTrouble();
        }
    }
}
