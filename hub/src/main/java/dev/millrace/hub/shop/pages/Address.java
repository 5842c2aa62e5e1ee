package dev.millrace.hub.shop.pages;

import java.util.Optional;

/**
 * What a request is for, as the cache sees it.
 *
 * @param hash of the page, whatever the method and the client's headers
 * @param url without a scheme, as people know it
 * @param item that it shows; empty if it shows none, or is dynamic
 */
record Address(String hash, String url, Optional<String> item) {}
