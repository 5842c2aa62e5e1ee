-- arm: see to it that somebody looks whether webhooks of a channel have something to send.
--
-- KEYS  1 the work by when it is due   2 the notes
-- ARGV  1 "1" before the publish, "0" after it   2 how long before it is due in the first case, in ms
--       3… for each webhook: its id in the list
-- Returns how many are due now that were not before.
--
-- A note is a mark, a blank and what the sender wrote there. Every call raises the mark: a sender
-- that found nothing takes the work from the list only if the mark is what it was before it looked,
-- so what was published since is seen. The note of work that was armed before its publish and not
-- looked at since is "a"; the call after the publish makes it due. What waits for another try, or
-- is being sent, keeps its time.

local work, notes, before = KEYS[1], KEYS[2], ARGV[1] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = 0
for i = 3, #ARGV do
  local id = ARGV[i]
  local note = redis.call('HGET', notes, id)
  local mark, rest = string.match(note or '', '^(%d+) (.*)$')
  if not mark or not redis.call('ZSCORE', work, id) then
    redis.call('ZADD', work, string.format('%.0f', before and now + tonumber(ARGV[2]) or now), id)
    redis.call('HSET', notes, id, before and '1 a' or '1 ')
    due = due + 1
  else
    if rest == 'a' and not before then
      rest = ''
      redis.call('ZADD', work, string.format('%.0f', now), id)
      due = due + 1
    end
    redis.call('HSET', notes, id, string.format('%.0f ', tonumber(mark) + 1) .. rest)
  end
end
return due
