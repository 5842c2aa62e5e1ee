package dev.millrace.hub.settings;

import java.util.List;

/** What somebody wrote for a setting; no items mean the default. */
record Given(List<String> items, Origin origin) {}
