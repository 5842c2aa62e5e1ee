package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.Notification;

import jakarta.activation.DataHandler;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.ParseException;
import jakarta.mail.util.ByteArrayDataSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * Sends notifications by e-mail, one message to all addresses of a channel. The library for it is
 * loaded when the first one is sent. Thread-safe.
 */
public final class MailSender {
    private static final DateTimeFormatter DATE = DateTimeFormatter.RFC_1123_DATE_TIME;

    private final MailSettings settings;
    private final NotificationsSettings.Sending sending;
    private final InstantSource clock;

    public MailSender(
            MailSettings settings, NotificationsSettings.Sending sending, InstantSource clock) {
        this.settings = settings;
        this.sending = sending;
        this.clock = clock;
    }

    Attempt send(Notification notification, String transmission, List<String> addresses) {
        Optional<String> host = settings.host();
        if (host.isEmpty()) {
            return Attempt.failed("No mail server is configured: set notifications.smtp.host.");
        }
        if (addresses.isEmpty()) {
            return Attempt.failed("The channel has no mail address.");
        }
        try {
            Session session = Session.getInstance(properties(host.get()));
            MimeMessage message = new Mail(session, transmission, settings.sender());
            fill(message, notification, addresses);
            deliver(session, message);
            return Attempt.sent("SMTP server received");
        } catch (MessagingException e) {
            return Attempt.failed("The mail was not sent: " + sentence(e));
        }
    }

    /** All that is wrong, from the outside in: the cause says more than the first sentence. */
    private static String sentence(MessagingException e) {
        String text = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
        Exception next = e.getNextException();
        return next == null || next.getMessage() == null
                ? text
                : text + " (" + next.getMessage().strip().replaceAll("\\s+", " ") + ")";
    }

    private Properties properties(String host) {
        Properties properties = new Properties();
        properties.put("mail.smtp.host", host);
        properties.put("mail.smtp.port", Integer.toString(settings.port()));
        properties.put("mail.smtp.from", settings.sender());
        // Or the name of this machine is looked up, which may take long.
        properties.put("mail.smtp.localhost", domain(settings.sender()));
        properties.put("mail.from", settings.sender());
        properties.put("mail.smtp.connectiontimeout", millis(sending.connectTimeOut()));
        properties.put("mail.smtp.timeout", millis(sending.timeOut()));
        properties.put("mail.smtp.writetimeout", millis(sending.timeOut()));
        properties.put("mail.smtp.starttls.enable", "true");
        properties.put(
                "mail.smtp.ssl.checkserveridentity", Boolean.toString(!settings.selfSigned()));
        if (settings.selfSigned()) {
            properties.put("mail.smtp.ssl.trust", "*");
        }
        properties.put("mail.smtp.auth", Boolean.toString(settings.password().isPresent()));
        return properties;
    }

    private static String millis(Duration time) {
        return Long.toString(time.toMillis());
    }

    private static String domain(String address) {
        String domain = address.substring(address.lastIndexOf('@') + 1);
        return domain.isEmpty() ? "localhost" : domain;
    }

    private void fill(MimeMessage message, Notification notification, List<String> addresses)
            throws MessagingException {
        message.setFrom(new InternetAddress(settings.sender(), false));
        for (String address : addresses) {
            message.addRecipient(Message.RecipientType.TO, new InternetAddress(address, true));
        }
        message.setSubject(settings.subject(), StandardCharsets.UTF_8.name());
        message.setHeader(
                "Date", DATE.format(ZonedDateTime.ofInstant(clock.instant(), ZoneOffset.UTC)));
        message.setDataHandler(
                new DataHandler(
                        new ByteArrayDataSource(
                                notification.content().getBytes(StandardCharsets.UTF_8),
                                type(notification.contentType()))));
        message.saveChanges();
    }

    /** With the character set, which is ours; what is not a type is sent as plain text. */
    private static String type(String given) {
        try {
            ContentType type = new ContentType(given.isBlank() ? "text/plain" : given);
            if (type.getPrimaryType().equalsIgnoreCase("text")) {
                type.setParameter("charset", "UTF-8");
            }
            return type.toString();
        } catch (ParseException e) {
            return "text/plain; charset=UTF-8";
        }
    }

    private void deliver(Session session, MimeMessage message) throws MessagingException {
        try (Transport transport = session.getTransport("smtp")) {
            if (settings.password().isPresent()) {
                transport.connect(
                        settings.username().orElse(settings.sender()), settings.password().get());
            } else {
                transport.connect();
            }
            transport.sendMessage(message, message.getAllRecipients());
        }
    }

    /** A message whose id follows from its transmission, so that one sent again can be told. */
    private static final class Mail extends MimeMessage {
        private final String id;

        Mail(Session session, String transmission, String sender) {
            super(session);
            this.id = "<%s@%s>".formatted(transmission, domain(sender));
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id);
        }
    }
}
