package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.proxy.Content;
import dev.millrace.hub.http.proxy.Failure;
import dev.millrace.hub.http.proxy.Seen;
import dev.millrace.hub.http.proxy.Taker;
import dev.millrace.hub.http.proxy.Turn;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes on an answer to something that may have changed a page. If it worked, what is kept of that
 * page goes before the client hears of it (RFC 9111, 4.4).
 */
final class Changing implements Taker {
    private static final Header STATUS = PageAnswers.status("fwd=method");

    private final Address address;
    private final Addresses addresses;
    private final Purging purging;

    Changing(Address address, Addresses addresses, Purging purging) {
        this.address = address;
        this.addresses = addresses;
        this.purging = purging;
    }

    @Override
    public Seen head(Head head) {
        List<Header> headers = Passing.forClient(head.headers(), STATUS);
        if (head.status() < 200 || head.status() >= 400) {
            return Seen.Relay.of(headers);
        }
        List<Address> changed = new ArrayList<>(List.of(address));
        for (Header each : head.headers()) {
            if (each.name().equalsIgnoreCase("Location")
                    || each.name().equalsIgnoreCase("Content-Location")) {
                addSame(each.value(), changed);
            }
        }
        List<String> groups =
                changed.stream()
                        .filter(each -> each.item().isPresent())
                        .map(each -> Groups.url(each.group()))
                        .distinct()
                        .toList();
        return groups.isEmpty()
                ? Seen.Relay.of(headers)
                : new Seen.Relay(headers, purging.soon(groups));
    }

    /** Of another host it may say what it likes. */
    private void addSame(String location, List<Address> changed) {
        int slash = address.url().indexOf('/');
        String host = address.url().substring(0, slash);
        try {
            URI url = URI.create("http://" + address.url().replace(' ', '+')).resolve(location);
            if (host.equals(
                    url.getRawAuthority() == null
                            ? ""
                            : url.getRawAuthority().replaceFirst(":80$", ""))) {
                String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
                changed.add(addresses.of(host, url.getRawPath() + query));
            }
        } catch (IllegalArgumentException e) {
            // Not an address, and so none of ours.
        }
    }

    @Override
    public Turn failed(Failure why) {
        return new Turn.Give(Content.sentence(why.status(), why.sentence(), STATUS), List.of());
    }
}
