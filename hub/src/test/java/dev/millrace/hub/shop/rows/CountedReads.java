package dev.millrace.hub.shop.rows;

import java.util.concurrent.atomic.AtomicInteger;

/** Functions in views of a database in this process: it calls one for each row that it reads. */
public final class CountedReads {
    static final AtomicInteger COUNT = new AtomicInteger();
    private static final long A_WHILE_MILLIS = 300;

    private CountedReads() {}

    public static int read(int value) {
        COUNT.incrementAndGet();
        return value;
    }

    /** The same, taking its time, so that others come while it is read. */
    public static int readSlowly(int value) throws InterruptedException {
        COUNT.incrementAndGet();
        Thread.sleep(A_WHILE_MILLIS);
        return value;
    }
}
