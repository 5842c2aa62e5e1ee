package dev.millrace.hub.http.proxy;

import dev.millrace.hub.http.Header;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** What happens next to a request. */
public sealed interface Turn {
    /** It is answered with this. */
    record Give(Content content, List<Header> more) implements Turn {
        public Give {
            more = List.copyOf(more);
        }
    }

    /** It waits until somebody knows. */
    record Later(CompletionStage<Turn> turn) implements Turn {}

    /**
     * The application is asked.
     *
     * @param without in small letters: headers of the client that the application does not get
     * @param with headers that it gets besides
     * @param target path and query it is asked for, if not those of the client
     */
    record Fetch(Set<String> without, List<Header> with, Optional<String> target, Taker taker)
            implements Turn {
        public Fetch {
            without = Set.copyOf(without);
            with = List.copyOf(with);
        }

        public static Fetch asItIs(Taker taker) {
            return new Fetch(Set.of(), List.of(), Optional.empty(), taker);
        }
    }
}
