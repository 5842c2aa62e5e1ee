package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of the pages, without a browser. */
class UiTest {
    private static final Pattern LINK = Pattern.compile("\"(/ui/[^\"]+)\"");
    private static TestHub hub;

    @BeforeAll
    static void start() {
        hub = TestHub.start(SharedServers.standalone());
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/ui",
                "/ui/alarms",
                "/ui/values",
                "/ui/models",
                "/ui/rules",
                "/ui/history",
                "/ui/shop",
                "/ui/why/alarm-hot-1",
                "/docs",
                "/docs/"
            })
    void a_page_is_html_without_inline_scripts_but_its_import_map(String path) {
        TestHub.Reply page = hub.get(path);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("content-type")).isEqualTo("text/html; charset=utf-8");
        String policy = page.header("content-security-policy");
        assertThat(policy).contains("script-src 'self'").doesNotContain("http:", "unsafe-eval");
        assertThat(policy.replaceAll("style-src[^;]*;", "")).doesNotContain("unsafe-inline");
        assertThat(page.body()).doesNotContain("{{");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/ui/alarms",
                "/ui/values",
                "/ui/channels",
                "/ui/models",
                "/ui/rules",
                "/ui/history",
                "/ui/shop",
                "/ui/why/alarm-hot-1",
                "/docs"
            })
    void everything_a_page_links_to_is_there(String page) {
        Matcher links = LINK.matcher(hub.get(page).body());
        TreeSet<String> paths = new TreeSet<>();
        while (links.find()) {
            paths.add(links.group(1));
        }
        assertThat(paths).hasSizeGreaterThan(3);
        for (String path : paths) {
            TestHub.Reply file = hub.get(path);
            assertThat(file.status()).as(path).isEqualTo(200);
            assertThat(file.header("cache-control"))
                    .as(path)
                    .isEqualTo(
                            path.startsWith("/ui/lib/")
                                    ? "public, max-age=31536000, immutable"
                                    : "no-cache");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui/page.html",
                "/ui/UiApi.class",
                "/ui/..%2fops%2fPulse.write.lua",
                "/ui/%2e%2e/logback.xml",
                "/ui/lib/lit/3.3.2/package.json",
                "/ui/lib/lit/3.3.2/..%2Findex.js",
                "/ui/lib/lit-html/3.3.2/directives/unsafe-html.js",
                "/ui/lib/lit-html/3.3.2/../lit-html.js",
                "/ui/lib/lit/0.0.1/index.js",
                "/ui/lib/../3.3.2/index.js",
                "/ui/lib/jackson-core/3.2.4/pom.xml",
                "/ui/",
                "/ui//page.js"
            })
    void what_is_not_named_cannot_be_had(String path) {
        assertThat(hub.get(path).status()).isEqualTo(404);
    }

    @Test
    void a_browser_that_has_a_file_already_is_not_sent_it_again() throws Exception {
        TestHub.Reply first = hub.get("/ui/page.js");
        HttpRequest again =
                HttpRequest.newBuilder(URI.create(hub.hub().url() + "/ui/page.js"))
                        .header("If-None-Match", first.header("etag"))
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> second = client.send(again, BodyHandlers.ofString());
            assertThat(second.statusCode()).isEqualTo(304);
            assertThat(second.body()).isEmpty();
        }
    }

    @Test
    void a_large_file_is_packed() throws Exception {
        HttpRequest packed =
                HttpRequest.newBuilder(URI.create(hub.hub().url() + "/ui/page.css"))
                        .header("Accept-Encoding", "gzip")
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> answer = client.send(packed, BodyHandlers.ofByteArray());
            assertThat(answer.headers().firstValue("content-encoding")).contains("gzip");
            assertThat(answer.body().length).isLessThan(hub.get("/ui/page.css").body().length());
        }
    }
}
