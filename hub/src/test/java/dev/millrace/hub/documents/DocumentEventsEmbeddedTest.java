package dev.millrace.hub.documents;

import dev.millrace.hub.mqtt.TestBroker;
import dev.millrace.hub.mqtt.TestEmbedded;

import java.nio.file.Path;

final class DocumentEventsEmbeddedTest extends DocumentEventsStandaloneTest {
    @Override
    TestBroker broker(Path where) {
        return TestEmbedded.open(where);
    }
}
