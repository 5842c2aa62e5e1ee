package dev.millrace.hub.documents;

import static dev.millrace.hub.documents.kept.DocumentsLayouts.DOCUMENTS;
import static dev.millrace.hub.documents.kept.DocumentsLayouts.topLevelNamespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.hub.documents.kept.Document;

import org.junit.jupiter.api.Test;

class DocumentsLayoutsTest {

    @Test
    void a_document_lives_with_its_top_level_namespace() {
        assertThat(topLevelNamespace("brewblox-ui-store:dashboard-items:1"))
                .isEqualTo("brewblox-ui-store");
        assertThat(topLevelNamespace("units")).isEqualTo("units");
        assertThat(topLevelNamespace(":a")).isEmpty();
    }

    @Test
    void it_is_stored_as_it_was_written_whatever_it_says_of_itself() {
        RoundTrip.of(
                DOCUMENTS,
                "brewblox-global:units",
                new Document("brewblox-global:units", "{\"temperature\": \"degC\"}"),
                new Document("brewblox-global:units", "{\"id\":\"other\",\"n\":1.10}"));
        RoundTrip.of(DOCUMENTS, "id", new Document("id", "{}"), new Document("id", "{\"a\":1}"));
    }
}
