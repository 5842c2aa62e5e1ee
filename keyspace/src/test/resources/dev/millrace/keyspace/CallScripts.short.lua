-- short: answers with one item too few, as no script for several calls may.
--
-- KEYS  for each call: 1 the list of words
-- ARGV  for each call: 1 the word
-- Returns the words without the last one.

local answers = {}
for i = 1, #ARGV do
  redis.call('RPUSH', KEYS[i], ARGV[i])
  answers[i] = ARGV[i]
end
answers[#answers] = nil
return answers
