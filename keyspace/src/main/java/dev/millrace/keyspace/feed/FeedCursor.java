package dev.millrace.keyspace.feed;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A place in a feed that somebody outside keeps: the number of the last fact seen in each shard,
 * and the epoch in which these numbers were given out. For a client it is opaque text.
 */
public record FeedCursor(String epoch, List<Long> numbers) {

    public FeedCursor {
        numbers = List.copyOf(numbers);
    }

    /**
     * The same place, but behind this fact of one shard. Behind all facts of the others it need not
     * be: whoever follows from there gets some of them again, and misses none.
     */
    public FeedCursor behind(int shard, long number) {
        List<Long> moved = new ArrayList<>(numbers);
        moved.set(numbers.size() == 1 ? 0 : shard, number);
        return new FeedCursor(epoch, moved);
    }

    public String text() {
        String plain =
                epoch
                        + " "
                        + numbers.stream()
                                .map(number -> Long.toString(number, Character.MAX_RADIX))
                                .collect(Collectors.joining(","));
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Takes the text of a cursor back.
     *
     * @throws IllegalArgumentException if this is not a text of a cursor
     */
    public static FeedCursor parse(String text) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            int blank = plain.indexOf(' ');
            if (blank <= 0) {
                throw new IllegalArgumentException("it has no epoch");
            }
            return new FeedCursor(
                    plain.substring(0, blank),
                    Arrays.stream(plain.substring(blank + 1).split(",", -1))
                            .map(number -> Long.parseLong(number, Character.MAX_RADIX))
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a valid feed cursor; reload and begin anew.", e);
        }
    }
}
