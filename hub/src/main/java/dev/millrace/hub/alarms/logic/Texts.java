package dev.millrace.hub.alarms.logic;

import tools.jackson.databind.json.JsonMapper;

/** Small helpers with texts. */
final class Texts {
    static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int SHOWN = 40;

    private Texts() {}

    /** For a sentence: what somebody sent may be long. */
    static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    /** Milliseconds as whole seconds in decimal, as every time in a hash is. */
    static String seconds(long millis) {
        return Long.toString(Math.floorDiv(millis, 1000));
    }
}
