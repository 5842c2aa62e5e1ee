package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The launcher, in a house with sources of one line, a Maven that makes two jars, and a JDK that
 * only writes down how it was called.
 */
class LauncherTest {

    @TempDir private Path directory;

    private Path root;
    private Path calls;

    @BeforeEach
    void build_the_house() throws IOException {
        root = Files.createDirectory(directory.resolve("a house"));
        calls = directory.resolve("calls");
        Files.copy(
                Path.of("../millrace"),
                root.resolve("millrace"),
                StandardCopyOption.COPY_ATTRIBUTES);
        for (String file :
                List.of("pom.xml", "hub/pom.xml", "hub/src/main/A", "keyspace/pom.xml")) {
            Files.createDirectories(root.resolve(file).getParent());
            Files.writeString(root.resolve(file), file);
        }
        Files.createDirectories(root.resolve("keyspace/src/main"));
        program("jdk/bin/javac", "");
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        program(
                "jdk/bin/java",
                """
                echo "$MILLRACE_JAVA_OPTS|$MILLRACE_HTTP_PORT|$PWD|$*" >>'%1$s'
                for argument in "$@"; do
                    case $argument in
                        -XX:AOTCacheOutput=*) [ -e '%1$s.broken' ] || echo notes >"${argument#*=}" ;;
                        dev.millrace.hub.cli.Main) echo answer ;;
                    esac
                done
                """
                        .formatted(calls));
        program(
                "bin/mvn",
                """
                echo "building $*"
                mkdir -p hub/target/lib
                for jar in millrace-hub lib/b lib/C lib/a; do echo "$jar" >hub/target/$jar.jar; done
                """);
    }

    private void program(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Process launch(Map<String, String> environment, String... arguments)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Stream.concat(
                                        Stream.of("sh", root.resolve("millrace").toString()),
                                        Stream.of(arguments))
                                .toList());
        builder.directory(directory.toFile());
        builder.redirectError(directory.resolve("err").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_"));
        builder.environment().remove("BUILDING_MILLRACE");
        builder.environment().put("MILLRACE_JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().merge("PATH", "", (path, none) -> directory + "/bin:" + path);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private String run(Map<String, String> environment, String... arguments) throws Exception {
        Process process = launch(environment, arguments);
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(Files.readString(directory.resolve("err"))).isZero();
        return out;
    }

    private List<String> calls() throws IOException {
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    private long rehearsals() throws IOException {
        return calls().stream().filter(call -> call.contains("run --rehearse")).count();
    }

    private String lastRun() throws IOException {
        return calls().stream().filter(call -> !call.contains("--rehearse")).toList().getLast();
    }

    private List<Path> files(String end) throws IOException {
        Path caches = root.resolve("hub/target/aot");
        if (!Files.exists(caches)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(caches)) {
            return found.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    private Path cache() throws IOException {
        List<Path> found = files(".aot");
        assertThat(found).hasSize(1);
        assertThat(files("lock")).isEmpty();
        return found.getFirst();
    }

    @Test
    void what_the_command_says_is_all_there_is_on_standard_output() throws Exception {
        assertThat(run(Map.of(), "check", "--set", "a=b c")).isEqualTo("answer\n");
        assertThat(Files.readString(directory.resolve("err"))).contains("millrace: built.");
        Path target = root.resolve("hub/target");
        assertThat(calls()).hasSize(1);
        assertThat(calls().getFirst())
                .startsWith("||" + directory + "|")
                .endsWith(
                        " -cp %1$s/millrace-hub.jar:%1$s/lib/C.jar:%1$s/lib/a.jar:%1$s/lib/b.jar"
                                        .formatted(target)
                                + " dev.millrace.hub.cli.Main check --set a=b c");
    }

    @Test
    void whoever_asks_for_help_waits_for_no_build() throws Exception {
        assertThat(run(Map.of(), "bench", "--help")).startsWith("Usage: ./millrace bench ");
        assertThat(run(Map.of(), "test", "--help")).startsWith("Usage: ./millrace test ");
        assertThat(run(Map.of(), "help")).contains("./millrace run ", "help settings");
        assertThat(root.resolve("hub/target")).doesNotExist();
        assertThat(run(Map.of(), "help", "settings")).isEqualTo("answer\n");
        assertThat(lastRun()).endsWith("dev.millrace.hub.cli.Main settings");
    }

    @Test
    void the_operator_may_add_flags_of_the_jvm_and_they_are_no_setting() throws Exception {
        run(Map.of("MILLRACE_JAVA_OPTS", "-Xmx1g -Dstar=*"), "check");
        assertThat(calls().getFirst())
                .startsWith("||")
                .contains(" -Xmx1g -Dstar=* dev.millrace.hub.cli.Main check");
    }

    @Test
    void the_first_run_makes_a_cache_which_is_used_from_then_on() throws Exception {
        Map<String, String> settings =
                Map.of("MILLRACE_HTTP_PORT", "9", "MILLRACE_JAVA_OPTS", "-Xmx1g");
        assertThat(run(settings, "run")).isEqualTo("answer\n");
        Path cache = cache();
        assertThat(calls()).hasSize(2);
        assertThat(calls().getFirst())
                .as("settings and flags of the caller are not for a rehearsal")
                .startsWith("||" + root.resolve("hub/target/aot/rehearsal."))
                .contains("run --rehearse --set http.port=0")
                .doesNotContain("-Xmx1g");
        assertThat(lastRun()).contains("-XX:AOTCache=" + cache, "-XX:+VerifySharedSpaces");

        run(settings, "run");
        assertThat(lastRun()).contains("-XX:AOTCache=" + cache);
        run(settings, "check");
        assertThat(lastRun()).contains("-XX:AOTCache=" + cache);
        assertThat(rehearsals()).isEqualTo(1);
        assertThat(files("")).hasSize(3);
    }

    @Test
    void other_jars_have_another_cache_and_the_old_one_goes() throws Exception {
        run(Map.of(), "run");
        Path first = cache();
        Files.writeString(root.resolve("hub/src/main/A"), "changed");
        run(Map.of(), "run");
        assertThat(rehearsals()).isEqualTo(2);
        assertThat(cache()).isNotEqualTo(first);
        assertThat(lastRun()).contains("-XX:AOTCache=" + cache());
    }

    @Test
    void a_cache_that_was_cut_is_made_anew() throws Exception {
        run(Map.of(), "run");
        Path cache = cache();
        Files.writeString(cache, "no");
        assertThat(run(Map.of(), "run")).isEqualTo("answer\n");
        assertThat(cache).hasContent("notes");
        assertThat(rehearsals()).isEqualTo(2);
    }

    @Test
    void a_rehearsal_that_fails_stops_nobody_and_is_not_repeated() throws Exception {
        Files.createFile(Path.of(calls + ".broken"));
        assertThat(run(Map.of(), "run")).isEqualTo("answer\n");
        assertThat(files(".failed")).hasSize(1);
        assertThat(lastRun()).doesNotContain("AOT");
        assertThat(run(Map.of(), "run")).isEqualTo("answer\n");
        assertThat(rehearsals()).isEqualTo(1);
        assertThat(files(".aot")).isEmpty();
    }

    @Test
    void a_lock_of_one_that_was_killed_is_taken_over_and_one_that_is_held_is_not()
            throws Exception {
        run(Map.of(), "check");
        Path caches = Files.createDirectories(root.resolve("hub/target/aot"));
        Path lock = caches.resolve("lock");
        Files.createSymbolicLink(lock, Path.of(Long.toString(ProcessHandle.current().pid())));
        assertThat(run(Map.of(), "run")).isEqualTo("answer\n");
        assertThat(rehearsals()).isZero();
        Files.delete(lock);
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Files.createSymbolicLink(lock, Path.of(Long.toString(ended.pid())));
        run(Map.of(), "run");
        assertThat(rehearsals()).isEqualTo(1);
        assertThat(lastRun()).contains("-XX:AOTCache=" + cache());
    }

    @Test
    void two_that_start_at_once_do_not_disturb_each_other() throws Exception {
        run(Map.of(), "check");
        Process one = launch(Map.of(), "run");
        Process other = launch(Map.of(), "run");
        assertThat(one.waitFor()).isZero();
        assertThat(other.waitFor()).isZero();
        assertThat(cache()).hasContent("notes");
        run(Map.of(), "run");
        assertThat(lastRun()).contains("-XX:AOTCache=" + cache());
    }

    @Test
    void tests_say_at_their_end_which_classes_took_longest_also_if_some_failed() throws Exception {
        Path old = Files.createDirectories(root.resolve("keyspace/target/surefire-reports"));
        Files.writeString(old.resolve("old.txt"), "Tests run: 9, Time elapsed: 99 s -- in a.Old");
        assertThat(old.resolve("old.txt").toFile().setLastModified(1_000_000)).isTrue();
        program(
                "bin/mvn",
                """
                mkdir -p hub/target/surefire-reports
                cd hub/target/surefire-reports
                echo 'Tests run: 2, Failures: 0, Time elapsed: 1.5 s -- in a.ShortTest' >1.txt
                echo 'Tests run: 3, Failures: 1, Time elapsed: 1,200.25 s <<< FAILURE! -- in a.LongTest' >2.txt
                exit 3
                """);
        Process process = launch(Map.of(), "test", "-pl", "hub");
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(Files.readString(directory.resolve("err")))
                .endsWith(
                        """
                        millrace: the slowest of 2 test classes, which took 1202 s in all:
                          1200.2 s  a.LongTest
                             1.5 s  a.ShortTest
                        """);
    }
}
