/**
 * Notifications, who has subscribed to which, and each transmission of one to one address. They
 * come from the first key description (EdgeX support notifications) and keep its tables.
 *
 * <p>The way of a notification: {@code NotificationsApi} → {@code NotificationsService} → one
 * commit with the order to distribute it → {@code Distribution} → the outbox of each subscription →
 * {@code Delivery} → a transmission. Way in: {@link dev.millrace.hub.notifications.Notifications}.
 */
@NullMarked
package dev.millrace.hub.notifications;

import org.jspecify.annotations.NullMarked;
