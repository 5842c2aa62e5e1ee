package dev.millrace.hub.alarms;

import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What alarm rules watch. */
final class Sources {
    private static final Pattern OF_CHANNEL = Pattern.compile("comsrv:([1-9][0-9]*):.*");

    private Sources() {}

    /**
     * Who the watched key lives with, and the alarm with it: a channel for its points. Models are
     * the site's, and so is what names no source.
     */
    static String home(@Nullable String sourceKey) {
        Matcher matcher = OF_CHANNEL.matcher(sourceKey == null ? "" : sourceKey);
        return matcher.matches() ? matcher.group(1) : Declaration.SITE;
    }
}
