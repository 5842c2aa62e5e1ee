package dev.millrace.hub.alarms.logic;

/** The state of an alarm after ISA-18.2: whether it is raised, and what people made of it. */
public sealed interface AlarmState {

    /** As it is stored. */
    String word();

    /** Nothing is outstanding. */
    record Normal() implements AlarmState {
        @Override
        public String word() {
            return "NORM";
        }
    }

    /** Raised, and nobody has seen it. */
    record Unacknowledged() implements AlarmState {
        @Override
        public String word() {
            return "UNACK";
        }
    }

    /** Raised, and somebody takes care of it. */
    record Acknowledged() implements AlarmState {
        @Override
        public String word() {
            return "ACKED";
        }
    }

    /** It ended before anybody saw it. */
    record ReturnedUnacknowledged() implements AlarmState {
        @Override
        public String word() {
            return "RTNUN";
        }
    }

    /** Somebody does not want to hear of it for a while. */
    record Shelved() implements AlarmState {
        @Override
        public String word() {
            return "SHELVED";
        }
    }

    /** Another alarm explains it. */
    record Suppressed() implements AlarmState {
        @Override
        public String word() {
            return "SUPPR";
        }
    }

    /** Its rule is disabled. */
    record OutOfService() implements AlarmState {
        @Override
        public String word() {
            return "OOSRV";
        }
    }

    /** The state of an alarm whose rule is enabled or not. */
    static AlarmState of(Alarm alarm, boolean enabled, boolean acknowledging) {
        if (!enabled) {
            return new OutOfService();
        } else if (alarm.isShelved()) {
            return new Shelved();
        } else if (alarm.has(Alarm.SUPPRESSED) && !alarm.isActive()) {
            return new Suppressed();
        }
        return beneath(alarm, acknowledging);
    }

    /** What it is whether or not anybody wants to hear of it. */
    static AlarmState beneath(Alarm alarm, boolean acknowledging) {
        if (alarm.isActive()) {
            return alarm.isAcknowledged() ? new Acknowledged() : new Unacknowledged();
        }
        return acknowledging && alarm.waitsForAcknowledgement()
                ? new ReturnedUnacknowledged()
                : new Normal();
    }

    /** Whether people are to be told of what happens to it. */
    default boolean isShown() {
        return switch (this) {
            case Normal n -> true;
            case Unacknowledged u -> true;
            case Acknowledged a -> true;
            case ReturnedUnacknowledged r -> true;
            case Shelved s -> false;
            case Suppressed s -> false;
            case OutOfService o -> false;
        };
    }
}
