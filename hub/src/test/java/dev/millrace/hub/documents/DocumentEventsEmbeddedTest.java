package dev.millrace.hub.documents;

import dev.millrace.hub.mqtt.TestBroker;
import dev.millrace.hub.mqtt.TestEmbedded;
import dev.millrace.keyspace.testing.Site;

import java.nio.file.Path;

final class DocumentEventsEmbeddedTest extends DocumentEventsContract {
    DocumentEventsEmbeddedTest() {
        super(Site.STANDALONE);
    }

    @Override
    TestBroker broker(Path where) {
        return TestEmbedded.open(where);
    }
}
