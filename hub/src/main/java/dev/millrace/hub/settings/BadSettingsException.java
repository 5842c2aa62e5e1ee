package dev.millrace.hub.settings;

import java.util.List;

/** Some settings are wrong; a sentence for each. */
public final class BadSettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    public BadSettingsException(List<String> problems) {
        super(String.join(" ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
