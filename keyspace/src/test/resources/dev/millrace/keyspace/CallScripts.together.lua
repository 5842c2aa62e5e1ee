-- together: write words down, for tests of calls that travel together.
--
-- KEYS  for each call: 1 the list of words   2 the counter
-- ARGV  for each call: 1 the word
-- Returns for each call: {the word, how many there are now, how many calls came together}.
--
-- A counter that is not a number ends the script half-way, as no script of a room may.

local answers = {}
for i = 1, #ARGV do
  redis.call('RPUSH', KEYS[2 * i - 1], ARGV[i])
  answers[i] = {ARGV[i], redis.call('INCR', KEYS[2 * i]), #ARGV}
end
return answers
