package dev.millrace.hub.alarms.logic;

import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/** What alarm rules watch. */
public final class Sources {
    private static final String OF_CHANNEL = "comsrv:";
    private static final Pattern KNOWN =
            Pattern.compile(
                    "comsrv:[1-9][0-9]{0,4}:[TSCA]|model:[A-Za-z0-9][A-Za-z0-9_.-]{0,127}:measurement");
    private static final int LAST_CHANNEL = 65535;

    private Sources() {}

    /**
     * Who the watched key lives with, and the alarm with it: a channel for its points. Models are
     * the site's, and so is what names no source.
     */
    public static String home(@Nullable String sourceKey) {
        if (sourceKey == null || !sourceKey.startsWith(OF_CHANNEL)) {
            return Declaration.SITE;
        }
        int end = sourceKey.indexOf(':', OF_CHANNEL.length());
        String channel = end < 0 ? "" : sourceKey.substring(OF_CHANNEL.length(), end);
        return isChannel(channel) ? channel : Declaration.SITE;
    }

    private static boolean isChannel(String text) {
        if (text.isEmpty() || text.length() > 10 || text.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** Whether a rule may watch it. */
    public static boolean isKnown(String sourceKey) {
        return KNOWN.matcher(sourceKey).matches()
                && (!sourceKey.startsWith(OF_CHANNEL)
                        || Integer.parseInt(home(sourceKey)) <= LAST_CHANNEL);
    }
}
