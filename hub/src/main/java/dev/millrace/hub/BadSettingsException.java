package dev.millrace.hub;

import java.util.List;

/** Some settings are wrong; a sentence for each. */
final class BadSettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    BadSettingsException(List<String> problems) {
        super(String.join(" ", problems));
        this.problems = List.copyOf(problems);
    }

    List<String> problems() {
        return problems;
    }
}
