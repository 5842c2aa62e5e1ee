package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;

import java.util.List;

/** The keys of message channels. How long each lives is a setting of its channel. */
public final class PubsubLayouts {
    public static final Cell CLOCK =
            ofChannel("c.{{channel:messagename}}.clock").about("The number of the newest message.");

    public static final Cell CURSOR =
            ofChannel("c.{{channel:messagename}}.r.{subscriber:messagename}")
                    .about("The clock of the last message that the subscriber has acknowledged.");

    static final Cell MESSAGE =
            ofChannel("c.{{channel:messagename}}.m.{clock:number}")
                    .about("The message published at this clock: its id and content.");

    static final Cell MESSAGE_ID =
            ofChannel("c.{{channel:messagename}}.mid.{message-id:messagename}")
                    .about("The clock of the message with this id, so that it is taken once.");

    public static final Cell SEEN =
            ofChannel(KeyType.SORTED_SET, "millrace:seen:{{channel:messagename}}")
                    .about("When each subscriber was seen last, in ms.");

    static final Cell RATE =
            ofChannel(KeyType.STRING, "millrace:rate:{{channel:messagename}}")
                    .about(
                            "How many messages were published in this second; where that is"
                                    + " limited.");

    static final Cell REVOKED =
            Cell.of(KeyType.STRING, "jwt.{{jti:tag}}.revoke")
                    .ownedBy("jti")
                    .about("Until when a token with this id is refused.");

    /** For ids that cannot be a hash tag. */
    static final Cell REVOKED_BY_DIGEST =
            Cell.of(KeyType.STRING, "millrace:jwt:{digest:opaque}", KeyGrammars.ALL)
                    .ownedBy("digest")
                    .about(
                            "Until when a token is refused whose id holds a brace or is very long;"
                                    + " named by the SHA-256 of the id.");

    public static final Cell DEAD =
            ofChannel(KeyType.LIST, "millrace:dead:{{channel:messagename}}")
                    .about("Messages that a webhook did not take, the oldest first.");

    public static final Cell DEAD_BYTES =
            ofChannel(KeyType.STRING, "millrace:dead-bytes:{{channel:messagename}}")
                    .about("How large they are together.");

    public static final Cell WEBHOOK_WORK =
            Cell.of(KeyType.SORTED_SET, "millrace:webhook-work:{{part:number}}")
                    .ownedBy("part")
                    .about(
                            "Which webhooks of which channels have something to do, by when it is"
                                    + " due, in ms.");

    public static final Cell WEBHOOK_NOTES =
            Cell.of(KeyType.HASH, "millrace:webhook-notes:{{part:number}}")
                    .ownedBy("part")
                    .about("How often each was asked to look, and what it has tried.");

    private PubsubLayouts() {}

    private static Cell ofChannel(String pattern) {
        return ofChannel(KeyType.STRING, pattern);
    }

    private static Cell ofChannel(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL).ownedBy("channel");
    }

    public static List<Declaration> all() {
        return List.of(
                CLOCK,
                CURSOR,
                MESSAGE,
                MESSAGE_ID,
                SEEN,
                RATE,
                REVOKED,
                REVOKED_BY_DIGEST,
                DEAD,
                DEAD_BYTES,
                WEBHOOK_WORK,
                WEBHOOK_NOTES);
    }
}
