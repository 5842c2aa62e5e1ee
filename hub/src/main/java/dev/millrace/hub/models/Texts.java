package dev.millrace.hub.models;

import dev.millrace.hub.http.Json;

import tools.jackson.databind.JsonNode;

/** Values that come as texts. */
final class Texts {
    private Texts() {}

    /** A number where the text is one. */
    static JsonNode node(String text) {
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return ModelState.number(number);
            }
        } catch (NumberFormatException e) {
            // It is a text.
        }
        return Json.MAPPER.getNodeFactory().stringNode(text);
    }
}
