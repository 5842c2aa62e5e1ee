package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.settings.Section;
import dev.millrace.hub.settings.Tree;

import java.time.Duration;
import java.util.List;

/**
 * Parts of the reference's configuration that are read, so that a mistake in them is told, and then
 * not used: Millrace has figures and a log of its own.
 */
final class UnusedParts {
    private UnusedParts() {}

    static void read(Section root, List<String> warnings) {
        Section telemetry = root.section("telemetry");
        telemetry(telemetry);
        if (!telemetry.names().isEmpty()) {
            warnings.add("telemetry is not used: figures are at /metrics.");
        }
        Section sentry = root.section("sentry");
        sentry(sentry);
        if (!sentry.names().isEmpty()) {
            warnings.add("sentry is not used: errors are in the log.");
        }
    }

    private static void telemetry(Section section) {
        Section ot = section.section("ot");
        Section tracing = ot.section("tracing");
        tracing.yesOrNo("enable");
        new AllowedValues(tracing).decimal("sampling", 0, 0, 1);
        Section batch = tracing.section("batch");
        new AllowedValues(batch).number("maxQueueSize", 2048, 0);
        new AllowedValues(batch).notNegative("timeout", Duration.ofSeconds(5));
        new AllowedValues(batch).number("batchSize", 512, 0);
        batch.end();
        tracing.ignore("attributes");
        tracing.end();
        Section exporters = ot.section("exporters");
        Section stdout = exporters.section("stdout");
        stdout.yesOrNo("enable");
        stdout.list("quantiles", plain -> Double.parseDouble(plain.text()));
        stdout.end();
        Section gcp = exporters.section("gcp");
        gcp.yesOrNo("enableTrace");
        gcp.text("projectID");
        gcp.end();
        exporters.end();
        ot.end();
        section.end();
    }

    private static void sentry(Section section) {
        section.text("serverName");
        section.text("environment");
        section.ignore("tags", "contexts");
        new AllowedValues(section).decimal("sampleRate", 1, 0, 1);
        section.list("ignoreErrors", Tree.Plain::text);
        section.yesOrNo("disableStacktrace");
        section.yesOrNo("hideRequestData");
        new AllowedValues(section).positive("flushTimeout", Duration.ofSeconds(15));
        section.end();
    }
}
