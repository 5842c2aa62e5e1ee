package dev.millrace.hub.documents;

import dev.millrace.hub.mqtt.TestBroker;
import dev.millrace.hub.mqtt.TestMosquitto;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import java.nio.file.Path;

@OnEachSite
final class DocumentEventsTest extends DocumentEventsContract {
    DocumentEventsTest(Site site) {
        super(site);
    }

    @Override
    TestBroker broker(Path where) {
        return TestMosquitto.start(where, "autosave_interval 1", "autosave_on_changes true");
    }
}
