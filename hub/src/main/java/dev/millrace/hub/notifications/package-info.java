/**
 * Notifications, who has subscribed to which, and each transmission of one to one address. They
 * come from the first key description (EdgeX support notifications) and keep its tables. Way in, so
 * far: {@link dev.millrace.hub.notifications.NotificationsLayouts}.
 */
@NullMarked
package dev.millrace.hub.notifications;

import org.jspecify.annotations.NullMarked;
