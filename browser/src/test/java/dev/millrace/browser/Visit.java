package dev.millrace.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A page that is being looked at, and everything that went wrong in it. */
final class Visit implements AutoCloseable {
    /** Only a hang reaches it. */
    private static final double PATIENCE_MILLIS = 120_000;

    private final BrowserContext context;
    private final Page page;
    private final List<String> troubles = new CopyOnWriteArrayList<>();

    private Visit(Browser browser, String url, int width, ColorScheme scheme) {
        context =
                browser.newContext(
                        new Browser.NewContextOptions()
                                .setViewportSize(width, 900)
                                .setColorScheme(scheme));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        page = context.newPage();
        String host = URI.create(url).getAuthority();
        page.onConsoleMessage(
                message -> {
                    if (message.type().equals("error") || message.type().equals("warning")) {
                        troubles.add("console: " + message.text());
                    }
                });
        page.onPageError(error -> troubles.add("error: " + error));
        page.onRequestFailed(
                request -> troubles.add("failed: " + request.url() + " " + request.failure()));
        page.onResponse(
                response -> {
                    if (response.status() >= 400) {
                        troubles.add("%d: %s".formatted(response.status(), response.url()));
                    }
                });
        page.onRequest(
                request -> {
                    URI asked = URI.create(request.url());
                    if (asked.getScheme().startsWith("http")
                            && !host.equals(asked.getAuthority())) {
                        troubles.add("another host: " + request.url());
                    }
                });
        page.navigate(url);
    }

    static Visit to(Browser browser, String url) {
        return new Visit(browser, url, 1280, ColorScheme.LIGHT);
    }

    static Visit to(Browser browser, String url, int width, ColorScheme scheme) {
        return new Visit(browser, url, width, scheme);
    }

    Page page() {
        return page;
    }

    void mustBeFreeOfTrouble() {
        assertThat(troubles).isEmpty();
    }

    /** Of the whole page, for people: lies in target/screenshots. */
    void picture(String name) {
        picture(name, true);
    }

    void picture(String name, boolean whole) {
        page.screenshot(
                new Page.ScreenshotOptions()
                        .setFullPage(whole)
                        .setPath(Path.of("target", "screenshots", name + ".png")));
    }

    @Override
    public void close() {
        context.close();
    }
}
