package dev.millrace.hub.work;

/** What a room keeps, and how it removes the oldest of it. {@link Retention} says how much. */
public interface Shelf {

    /** How much there is; asked every few seconds, so it must be cheap. */
    Keep.Holdings holdings();

    /**
     * Removes some of the oldest things with all that belongs to them. It reads which ones these
     * are and removes just them, so that it does no harm if another hub does the same meanwhile.
     *
     * @param most about so many; a step must be small, because others wait meanwhile
     * @param before only what was created before this, in ms
     * @return how many are gone; 0 if there is none
     */
    long removeOldest(int most, long before);
}
