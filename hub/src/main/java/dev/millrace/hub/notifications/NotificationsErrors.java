package dev.millrace.hub.notifications;

import dev.millrace.hub.edgex.EdgexErrors;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.notifications.Accepted.Refused;

/** How the reasons of this room are told to clients of EdgeX. */
final class NotificationsErrors {
    private NotificationsErrors() {}

    static Answer answer(Refused why) {
        Code code =
                switch (why) {
                    case Refused.Invalid invalid -> Code.BAD_BODY;
                    case Refused.Taken taken -> Code.CONFLICT;
                    case Refused.Absent absent -> Code.NOT_FOUND;
                };
        return EdgexErrors.answer(code.status(), why.sentence());
    }
}
