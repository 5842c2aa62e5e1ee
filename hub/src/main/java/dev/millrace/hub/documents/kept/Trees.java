package dev.millrace.hub.documents.kept;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Documents as trees. */
public final class Trees {
    /** Deeper than this our parser gives up, and so did the one that clients know. */
    private static final int PARSED_DEPTH = 999;

    private static final int LONGEST_NUMBER = 4300;
    private static final int LONGEST_NAME = 1 << 20;

    public static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(PARSED_DEPTH)
                                                    .maxNumberLength(LONGEST_NUMBER)
                                                    .maxNameLength(LONGEST_NAME)
                                                    .maxStringLength(Integer.MAX_VALUE)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private Trees() {}
}
