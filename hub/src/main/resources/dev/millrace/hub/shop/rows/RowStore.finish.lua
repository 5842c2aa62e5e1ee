
-- finish: store what was loaded because somebody asked for it.
--
-- KEYS  as in keep
-- ARGV  1 the row as it stands in delay:   2 name of the claim   3 the row, or "" if there is none
--       4 now in ms   5 for how many s a row is kept that is not scheduled
--       6 for how many s it is known that there is none
--       7 for how many s a row may be missing before its schedule is dropped
-- Returns "changed" or "same", or "moved" if the claim is not ours any more: the row was thrown away
-- meanwhile, and what we have may be older than that.

local delay = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '')
local scheduled = redis.call('ZSCORE', KEYS[2], ARGV[1])
redis.call('HGET', KEYS[4], 'loaded')
if redis.call('GET', KEYS[5]) ~= ARGV[2] then return 'moved' end
redis.call('STRLEN', KEYS[3])

redis.call('DEL', KEYS[5])
if ARGV[3] ~= '' then return keep(ARGV[3], ARGV[4], lifetime(scheduled and delay, ARGV[5])) end
local before = redis.call('EXISTS', KEYS[3])
note_absence(ARGV[4], string.format('%.0f', ARGV[4] + ARGV[6] * 1000), scheduled and ARGV[7] or ARGV[6])
return before == 1 and 'changed' or 'same'
