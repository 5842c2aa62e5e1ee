-- note: write a word down and count, for tests of single calls.
--
-- KEYS  1 the list of words   2 the counter
-- ARGV  1 the word
-- Returns {the word, how many there are now, the name of the list}.

redis.call('RPUSH', KEYS[1], ARGV[1])
return {ARGV[1], redis.call('INCR', KEYS[2]), KEYS[1]}
