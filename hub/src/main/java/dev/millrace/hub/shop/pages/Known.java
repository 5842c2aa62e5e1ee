package dev.millrace.hub.shop.pages;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.shop.pages.rfc.Lifetime;

import java.util.List;

/** What is known under a hash, beside a body: as it stands in Redis. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Known.Kept.class, name = "page"),
    @JsonSubTypes.Type(value = Known.Varies.class, name = "varies"),
    @JsonSubTypes.Type(value = Known.Uncacheable.class, name = "uncacheable")
})
sealed interface Known {
    /** The hash of its address: its own, or that of which it is a variant. It is purged by it. */
    String address();

    String url();

    String item();

    /**
     * A page.
     *
     * @param tags that the application gave it
     * @param age milliseconds that it had spent elsewhere when it came
     * @param came in milliseconds since 1970
     */
    record Kept(
            String address,
            String url,
            String item,
            int status,
            List<Header> headers,
            List<String> tags,
            Lifetime lifetime,
            long age,
            long came)
            implements Known {
        public Kept {
            headers = List.copyOf(headers);
            tags = List.copyOf(tags);
        }

        long ageAt(long now) {
            return age + Math.max(0, now - came);
        }
    }

    /**
     * There are variants, each under a hash of its own.
     *
     * @param headers of requests that tell them apart, in small letters
     */
    record Varies(String address, String url, String item, List<String> headers) implements Known {
        public Varies {
            headers = List.copyOf(headers);
        }
    }

    /** It cannot be kept; who asks for it need not wait for others. */
    record Uncacheable(String address, String url, String item, String why, long until)
            implements Known {}
}
