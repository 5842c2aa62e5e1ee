package dev.millrace.hub.shop.pages.rfc;

import dev.millrace.hub.http.Header;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What a page says after the application has said that it did not change (RFC 9111, 3.2). */
public final class Merging {
    /** In small letters: they describe the body that is kept. */
    private static final Set<String> OF_THE_BODY =
            Set.of("content-length", "content-encoding", "content-type", "content-range");

    private Merging() {}

    public static Fields of(Fields page, Fields notModified) {
        Fields news = notModified.without(OF_THE_BODY);
        Set<String> named =
                news.all().stream()
                        .map(each -> each.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet());
        // How old the page was somewhere says nothing about its copy that is new now.
        named.add("age");
        List<Header> merged = new ArrayList<>(page.without(named).all());
        merged.addAll(news.all());
        return new Fields(merged);
    }
}
