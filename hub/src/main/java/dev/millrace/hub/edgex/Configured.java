package dev.millrace.hub.edgex;

import java.util.Map;

/** A room that has a say in the configuration that clients of EdgeX ask for. */
@FunctionalInterface
public interface Configured {
    /** Section, name, value; secrets are masked. */
    Map<String, Map<String, Object>> config();
}
