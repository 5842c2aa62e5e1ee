-- unmark: a page of which it was noted that it cannot be kept can be kept after all.
--
-- KEYS  1 the body   2 what is known of the page   3 all pages   4 their sizes
-- ARGV  1 hash   2 the note, as it was seen   3 the channel of news   4 who has found out
--       5 6 how keys of bodies and of pages begin
-- Returns 1, or 0 if something else is known by now.

if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
remove(shard_of(KEYS[1]), ARGV[5], ARGV[6], KEYS[3], KEYS[4], {ARGV[1]})
redis.call('PUBLISH', ARGV[3], 'have ' .. ARGV[1] .. ' ' .. ARGV[4])
return 1
