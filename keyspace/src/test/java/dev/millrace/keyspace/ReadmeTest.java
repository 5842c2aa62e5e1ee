package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The example of the library's README, run as it stands there. */
final class ReadmeTest {

    // example
    record Job(String id, String machine, long due, List<String> labels) {}

    static final Layout<Job> JOBS =
            Layout.json("job:{id:uuid}", Job.class)
                    .ownedBy("machine")
                    .sorted("jobs:due", Job::due)
                    .sorted("jobs:machine:{machine}", Job::due)
                    .bind("label", Job::labels)
                    .set("jobs:label:{label}");

    static String run(Redis redis) {
        Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(JOBS));
        Store<Job> jobs = keyspace.store(JOBS);

        Job oil = new Job(Shards.mint("press-1"), "press-1", 1000, List.of("weekly", "oil"));
        Stored<Job> stored = jobs.create(oil).orThrow();
        jobs.replace(stored, new Job(oil.id(), "press-1", 2000, List.of("oil"))).orThrow();

        Page<Job> next = jobs.query("jobs:machine:{machine}", "press-1").limit(10).page();
        long weekly = jobs.query("jobs:label:{label}", "weekly").count();
        return "due %d, weekly %d, drift %d"
                .formatted(next.values().getFirst().due(), weekly, keyspace.check().run().drift());
    }

    // end of example

    @ParameterizedTest
    @EnumSource(Site.class)
    void the_example_answers_what_the_page_says(Site site) {
        SharedServers.flushAll();
        try (Redis redis = site.connect()) {
            assertThat(run(redis)).isEqualTo("due 2000, weekly 0, drift 0");
        }
    }

    @Test
    void the_example_is_the_one_on_the_page() throws IOException {
        String source =
                Files.readString(Path.of("src/test/java/dev/millrace/keyspace/ReadmeTest.java"));
        String example =
                source.substring(
                                source.indexOf("// example\n") + "// example\n".length(),
                                source.indexOf("// end of example"))
                        .strip()
                        .indent(0)
                        .replaceAll("(?m)^ {4}", "");
        assertThat(Files.readString(Path.of("README.md"))).contains(example.strip());
    }
}
