package dev.millrace.bench.commit;

import org.springframework.data.repository.CrudRepository;

/** Implemented by Spring. */
interface SpringEvents extends CrudRepository<SpringEvent, String> {}
