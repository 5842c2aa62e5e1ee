package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.access.Decision;

import java.util.Optional;

/** Why a channel does not do what somebody wants, in the words that clients match on. */
public sealed interface Refused {

    /** What is wrong, for a person. */
    String sentence();

    /** To end what was begun. */
    default RefusedException exception() {
        return new RefusedException(this);
    }

    /** The text of a wrong parameter, with its name. */
    private static String invalid(String name) {
        return "Invalid \"%s\" parameter".formatted(name);
    }

    /** A parameter of this name is not what it must be. */
    record Invalid(String name) implements Refused {
        @Override
        public String sentence() {
            return invalid(name);
        }
    }

    /** A parameter of this name is needed. */
    record Missing(String name) implements Refused {
        @Override
        public String sentence() {
            return "Missing \"%s\" parameter".formatted(name);
        }
    }

    /** Nobody has configured such a channel. */
    record NotPermitted(String channel) implements Refused {
        @Override
        public String sentence() {
            return invalid("channelID");
        }

        public String reason() {
            return "No entry of the channel configuration matches %s.".formatted(channel);
        }
    }

    /** Nothing is in the channel, and nobody reads it. */
    record Idle() implements Refused {
        @Override
        public String sentence() {
            return "Nothing was published to this channel, and nobody reads it, since it expired"
                    + " last.";
        }
    }

    record NoSubscriber() implements Refused {
        @Override
        public String sentence() {
            return "There is no such subscriber (any more); create it.";
        }
    }

    /** The place where a subscriber wants to begin has expired. */
    record PlaceGone() implements Refused {
        @Override
        public String sentence() {
            return "The place to begin at does not live any more; begin with earliest.";
        }
    }

    record MalformedHandle() implements Refused {
        @Override
        public String sentence() {
            return "This ackHandle does not belong to this subscriber; send one that a fetch gave.";
        }
    }

    record NotJson() implements Refused {
        @Override
        public String sentence() {
            return "Request body is not JSON";
        }
    }

    /** It is JSON, but not the messages that it should be. */
    record NotMessages(String sentence) implements Refused {}

    record TooLarge(int mostBytes) implements Refused {
        @Override
        public String sentence() {
            return "A message of this channel has at most %d bytes.".formatted(mostBytes);
        }
    }

    /** More messages in a second than the channel takes. */
    record TooFast(int most) implements Refused {
        @Override
        public String sentence() {
            return "This channel takes %d messages a second; try again.".formatted(most);
        }
    }

    /**
     * The caller may not do this.
     *
     * @param reason only where the settings allow to tell it
     */
    record Unauthorized(Optional<String> reason) implements Refused {
        @Override
        public String sentence() {
            return "Unauthorized";
        }
    }

    /** The caller may look and wants to acknowledge. */
    record OnlyLooks() implements Refused {
        @Override
        public String sentence() {
            return "Acknowledging needs the role operator; this token may only look.";
        }
    }

    /** Whoever is not an admin is told nothing. */
    record NotAdmin() implements Refused {
        @Override
        public String sentence() {
            return "";
        }
    }

    /** Nobody could find out who the caller is. */
    record Undecided(Decision.Unavailable why) implements Refused {
        @Override
        public String sentence() {
            return why.why();
        }
    }
}
