package dev.millrace.hub.readings.kept;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Asks about several things at once, so that their questions travel to Redis together. */
public final class Together {
    /** On a cluster each may be a question to every shard. */
    private static final int MOST = 32;

    private Together() {}

    /** An answer for each, in their order. */
    public static <S, T> List<T> each(List<S> all, Function<S, T> question) {
        List<T> answers = new ArrayList<>(all.size());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int from = 0; from < all.size(); from += MOST) {
                List<CompletableFuture<T>> asked = new ArrayList<>();
                for (S one : all.subList(from, Math.min(from + MOST, all.size()))) {
                    asked.add(CompletableFuture.supplyAsync(() -> question.apply(one), threads));
                }
                asked.forEach(each -> answers.add(each.join()));
            }
        }
        return answers;
    }
}
