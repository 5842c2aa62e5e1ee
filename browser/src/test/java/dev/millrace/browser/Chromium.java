package dev.millrace.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The browser of the system. Nothing is ever downloaded. */
final class Chromium implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

    private final Playwright playwright =
            Playwright.create(
                    new Playwright.CreateOptions()
                            .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    private final Browser browser =
            playwright
                    .chromium()
                    .launch(
                            new BrowserType.LaunchOptions()
                                    .setExecutablePath(find())
                                    // Its sandbox refuses to run as root, as in a container.
                                    .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage")));

    Browser browser() {
        return browser;
    }

    private static Path find() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "There is no Chromium on the PATH (sought: %s); install the package chromium."
                                                .formatted(String.join(", ", NAMES))));
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
