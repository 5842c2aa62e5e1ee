package dev.millrace.hub.shop.pages;

import java.util.Optional;

/**
 * What a request is for, as the cache sees it.
 *
 * @param hash of the page, whatever the method and the client's headers
 * @param group of all pages that are purged by this address: those too that a proxy before this one
 *     was asked for by another protocol or host
 * @param url without a scheme, as people know it
 * @param target path and query for which the application is asked, for everybody who gets the page
 * @param item that it shows; empty if it shows none, or is dynamic
 */
record Address(String hash, String group, String url, String target, Optional<String> item) {
    Address(String hash, String url, String target, Optional<String> item) {
        this(hash, hash, url, target, item);
    }
}
