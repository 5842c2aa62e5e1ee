-- take: the right to ask the application for a page, if nobody has it and nothing came meanwhile.
--
-- KEYS  1 who has the right   2 what is known of the page
-- ARGV  1 who wants it   2 for how long, in ms   3 what was known of the page when it was looked at, or nothing
-- Returns {'changed'}, {'busy'} or {'mine', the server's time in µs}
--
-- The time comes from the server, because it is compared with that of a purge (keep).

if (redis.call('GET', KEYS[2]) or '') ~= ARGV[3] then return {'changed'} end
local time = redis.call('TIME')
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
    and redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return {'busy'}
end
return {'mine', string.format('%d%06d', time[1], time[2])}
