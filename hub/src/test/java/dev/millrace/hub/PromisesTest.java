package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of promises names tests that exist, and none is missing that is there for a promise. */
class PromisesTest {
    private static final Pattern NAME = Pattern.compile("`([\\w.]+Test)`");
    private static final Pattern FOR_A_PROMISE = Pattern.compile("(Fault|Kill|Model)Test$");

    /** The classes of all modules, such as {@code dev.millrace.hub.http.server.CorsTest}. */
    private static Set<String> tests() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String module : List.of("keyspace", "hub", "session", "browser", "bench")) {
            Path sources = Path.of("..", module, "src", "test", "java");
            try (Stream<Path> files = Files.walk(sources)) {
                files.map(file -> sources.relativize(file).toString().replace('/', '.'))
                        .filter(name -> name.endsWith("Test.java"))
                        .forEach(name -> names.add(name.replaceAll("\\.java$", "")));
            }
        }
        return names;
    }

    private static List<String> rows() throws IOException {
        return Files.readAllLines(Path.of("../docs/promises.md")).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| promise"))
                .toList();
    }

    private static Set<String> named(String text) {
        return NAME.matcher(text)
                .results()
                .map(MatchResult::group)
                .map(each -> each.replace("`", ""))
                .collect(Collectors.toSet());
    }

    @Test
    void each_promise_is_held_by_tests_that_exist() throws IOException {
        Set<String> tests = tests();
        assertThat(rows()).hasSizeGreaterThan(20);
        for (String row : rows()) {
            assertThat(named(row))
                    .as(row)
                    .isNotEmpty()
                    .allSatisfy(
                            name ->
                                    assertThat(tests)
                                            .as(name)
                                            .filteredOn(test -> test.endsWith("." + name))
                                            .hasSize(1));
        }
    }

    @Test
    void no_test_of_faults_kills_or_models_is_missing() throws IOException {
        Set<String> named = named(String.join("\n", rows()));
        assertThat(tests())
                .filteredOn(test -> FOR_A_PROMISE.matcher(test).find())
                .allSatisfy(
                        test ->
                                assertThat(named)
                                        .as(test)
                                        .anyMatch(name -> test.endsWith("." + name)));
    }
}
