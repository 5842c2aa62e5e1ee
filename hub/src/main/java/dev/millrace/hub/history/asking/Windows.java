package dev.millrace.hub.history.asking;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** How time is cut into windows. */
sealed interface Windows {
    long DAY = 86_400_000;

    /** When the window begins in which this time lies. */
    long start(long at);

    /** When the window ends that begins then. */
    long end(long start);

    /** Windows of one length, from the Unix epoch on. */
    record Even(long millis) implements Windows {
        @Override
        public long start(long at) {
            return Math.floorDiv(at, millis) * millis;
        }

        @Override
        public long end(long start) {
            return start + millis;
        }
    }

    /** Days of a zone, some of which have 23 or 25 hours. */
    record Days(int days, ZoneId zone) implements Windows {
        @Override
        public long start(long at) {
            long day = Instant.ofEpochMilli(at).atZone(zone).toLocalDate().toEpochDay();
            return begin(Math.floorDiv(day, (long) days) * days);
        }

        @Override
        public long end(long start) {
            long day = Instant.ofEpochMilli(start).atZone(zone).toLocalDate().toEpochDay();
            return begin(day + days);
        }

        private long begin(long day) {
            return LocalDate.ofEpochDay(day).atStartOfDay(zone).toInstant().toEpochMilli();
        }
    }

    /** One window for the whole range. */
    record One(long from, long to) implements Windows {
        @Override
        public long start(long at) {
            return from;
        }

        @Override
        public long end(long start) {
            return to;
        }
    }

    /** Windows of this length: of whole days in a zone, else from the epoch. */
    static Windows of(long millis, ZoneId zone) {
        boolean plain = millis % DAY != 0 || zone.normalized().equals(ZoneOffset.UTC);
        return plain ? new Even(millis) : new Days((int) (millis / DAY), zone);
    }

    /** How many there are in a range, about. */
    default long count(long from, long to) {
        return switch (this) {
            case Even(long millis) -> (to - from) / millis + 1;
            case Days(int days, ZoneId zone) -> (to - from) / (days * DAY) + 1;
            case One one -> 1;
        };
    }
}
