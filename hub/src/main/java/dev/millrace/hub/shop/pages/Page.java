package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.proxy.Content;
import dev.millrace.hub.shop.pages.rfc.Fields;

/** A page that can be given out. Immutable. */
final class Page {
    final String hash;
    final Known.Kept known;
    final Content content;
    private final Fields fields;

    Page(String hash, Known.Kept known, byte[] body) {
        this.hash = hash;
        this.known = known;
        this.content = new Content(known.status(), known.headers(), body);
        this.fields = new Fields(known.headers());
    }

    Fields fields() {
        return fields;
    }

    byte[] body() {
        return content.body();
    }

    int weight() {
        return body().length + 64 * known.headers().size();
    }
}
