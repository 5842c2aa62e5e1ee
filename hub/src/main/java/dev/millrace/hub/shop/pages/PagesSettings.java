package dev.millrace.hub.shop.pages;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Setting;
import dev.millrace.hub.shop.pages.rfc.Policy;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** The settings that begin with {@code shop.pages}. */
public record PagesSettings(
        @Setting(
                        about = "the parameter of an address that names the item it shows",
                        standard = "item")
                String item,
        @Setting(
                        about =
                                "a list: paths that name the item they show, as /products/{item};"
                                        + " a * stands for any part",
                        empty = "none",
                        by = "path")
                List<String> paths,
        @Setting(
                        about =
                                "the parameter that makes a page dynamic by being there: it is"
                                        + " never kept",
                        standard = "_")
                String dynamic,
        @Setting(
                        about =
                                "a list: parameters that change nothing on a page, as utm_*; the"
                                        + " application gets them with what it answers to one"
                                        + " client alone",
                        standard = "utm_*,gclid,fbclid,msclkid")
                List<String> ignored,
        @Setting(
                        about =
                                "a list: cookies that make every page personal; who sends one is"
                                        + " always answered by the application",
                        empty = "none")
                List<String> personalCookies,
        @Setting(
                        about =
                                "whether Set-Cookie is taken off item pages, so that they can be"
                                        + " kept",
                        standard = "false")
                boolean stripCookies,
        @Setting(
                        about =
                                "whether a client may ask for a page anew, as browsers do on"
                                        + " reload",
                        standard = "true")
                boolean reload,
        @Setting(
                        about = "how long a page is fresh that says nothing about it",
                        standard = "300s",
                        least = "1s")
                Duration lifetime,
        @Setting(
                        about =
                                "for how long after that it is still given while it is asked for"
                                        + " anew, unless it says otherwise",
                        standard = "30s",
                        least = "0s")
                Duration whileRefreshed,
        @Setting(
                        about =
                                "for how long after that it is still given if the application"
                                        + " fails, unless it says otherwise",
                        standard = "1h",
                        least = "0s")
                Duration onError,
        @Setting(
                        about = "a list: which answers are kept, by status",
                        standard = "200,203,301,404,410",
                        by = "status")
                List<Integer> statuses,
        @Setting(
                        about = "the largest page that is kept",
                        standard = "1MiB",
                        least = "1KiB",
                        most = "4MiB")
                Bytes largest,
        @Setting(
                        about = "how many pages are kept; those that end first go first",
                        standard = "100000",
                        least = "1",
                        most = "10000000")
                int most,
        @Setting(
                        about = "how many bytes they may take in Redis together",
                        standard = "512MiB",
                        least = "1MiB",
                        most = "1000GiB")
                Bytes bytes,
        @Setting(
                        about = "how many variants of one address are kept",
                        standard = "50",
                        least = "1",
                        most = "1000")
                int variants,
        @Setting(
                        about =
                                "how much memory of the hub holds copies of the pages asked for"
                                        + " most",
                        standard = "64MiB",
                        least = "1MiB",
                        most = "1000GiB")
                Bytes memory,
        @Setting(
                        about =
                                "how long a request waits while another one asks for the same"
                                        + " page; then it asks itself",
                        standard = "5s",
                        least = "10ms",
                        most = "60s")
                Duration patience,
        @Setting(
                        about =
                                "how long it is remembered that a page cannot be kept, so that"
                                        + " nobody waits for it in vain",
                        standard = "2m",
                        least = "0s")
                Duration uncacheable) {
    public PagesSettings {
        paths = List.copyOf(paths);
        ignored = List.copyOf(ignored);
        personalCookies = List.copyOf(personalCookies);
        statuses = List.copyOf(statuses);
    }

    static String path(String text) {
        if (ItemPath.isOne(text)) {
            return text;
        }
        throw new IllegalArgumentException(
                "'%s' is not a valid path; write /products/{item} or /*/p/{item}.".formatted(text));
    }

    static Integer status(String text) {
        if (text.matches("[2-5][0-9][0-9]") && !List.of("204", "206", "304").contains(text)) {
            return Integer.valueOf(text);
        }
        throw new IllegalArgumentException(
                "'%s' is not the status of an answer that can be kept, such as 200."
                        .formatted(text));
    }

    Policy policy() {
        return new Policy(
                lifetime, whileRefreshed, onError, new LinkedHashSet<>(statuses), stripCookies);
    }

    /** A path in which one part is the item. */
    record ItemPath(List<String> parts) {
        private static final String ITEM = "{item}";

        static boolean isOne(String text) {
            List<String> parts = List.of(text.split("/", -1));
            return text.startsWith("/")
                    && parts.stream().filter(ITEM::equals).count() == 1
                    && parts.stream()
                            .allMatch(each -> each.equals(ITEM) || !each.matches(".*[{}?#].*"));
        }

        static ItemPath of(String text) {
            return new ItemPath(List.of(text.split("/", -1)));
        }

        /** The part that is the item, as it stands in the path. */
        Optional<String> find(String path) {
            String[] given = path.split("/", -1);
            if (given.length != parts.size()) {
                return Optional.empty();
            }
            String item = "";
            for (int i = 0; i < given.length; i++) {
                String part = parts.get(i);
                if (part.equals(ITEM)) {
                    item = given[i];
                } else if (!part.equals("*") && !part.equals(given[i])) {
                    return Optional.empty();
                }
            }
            return item.isEmpty() ? Optional.empty() : Optional.of(item);
        }
    }
}
