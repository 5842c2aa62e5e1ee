package dev.millrace.hub.notifications;

import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.util.List;
import java.util.Optional;

/**
 * The mail server by which e-mail goes out.
 *
 * @param host empty if there is none
 * @param username empty for the sender
 * @param password empty for a server that asks for none
 * @param selfSigned whether a certificate that nobody vouches for will do
 */
public record MailSettings(
        Optional<String> host,
        int port,
        Optional<String> username,
        Optional<String> password,
        String sender,
        String subject,
        boolean selfSigned) {

    private static final Key<Optional<String>> HOST =
            Key.optional(
                    "notifications.smtp.host",
                    Kind.HOST,
                    "no e-mail is sent",
                    "the mail server by which e-mail goes out");

    private static final Key<Integer> PORT =
            Key.of("notifications.smtp.port", Kind.number(1, 65_535), "587", "its port");

    private static final Key<Optional<String>> USERNAME =
            Key.optional(
                    "notifications.smtp.username", Kind.TEXT, "the sender", "who logs in there");

    private static final Key<Optional<String>> PASSWORD =
            Key.optional(
                            "notifications.smtp.password",
                            Kind.TEXT,
                            "nobody logs in",
                            "the password to log in with")
                    .secret();

    private static final Key<String> SENDER =
            Key.of(
                    "notifications.smtp.sender",
                    Kind.one(MailSettings::oneLine),
                    "millrace@localhost",
                    "the address that e-mail comes from");

    private static final Key<String> SUBJECT =
            Key.of(
                    "notifications.smtp.subject",
                    Kind.one(MailSettings::oneLine),
                    "Millrace notification",
                    "the subject of every e-mail");

    private static final Key<Boolean> SELF_SIGNED =
            Key.of(
                    "notifications.smtp.self-signed",
                    Kind.YES_OR_NO,
                    "false",
                    "whether the certificate of the mail server is believed unseen");

    static final List<Key<?>> KEYS =
            List.of(HOST, PORT, USERNAME, PASSWORD, SENDER, SUBJECT, SELF_SIGNED);

    static MailSettings read(Values values) {
        return new MailSettings(
                values.get(HOST),
                values.get(PORT),
                values.get(USERNAME),
                values.get(PASSWORD),
                values.get(SENDER),
                values.get(SUBJECT),
                values.get(SELF_SIGNED));
    }

    private static String oneLine(String text) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("It must be one line of text.");
        }
        return text;
    }
}
