package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import java.util.Map;

/** Cached pages. */
final class PageSamples {
    private PageSamples() {}

    static void put(Map<String, Sample> all) {
        all.put(
                "POST /shop/cache/purge",
                changes(stage -> Call.of("/shop/cache/purge", "{\"item\":\"item1\"}")));
        all.put("GET /shop/cache/pages", reads("/shop/cache/pages"));
        all.put("GET /shop/cache/stats", reads("/shop/cache/stats"));
    }
}
