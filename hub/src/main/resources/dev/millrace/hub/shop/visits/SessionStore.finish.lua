-- finish: a visitor leaves.
--
-- KEYS  1–3 as in session   4 its cart   5 the version of that
-- ARGV  1 token   2 for how many s its cart is kept, or "" to remove it
-- Returns how many sessions that were.

local session = look(ARGV[1])
if not session.user and not session.seen then return 0 end
remove(ARGV[1], session, ARGV[2] ~= '')
if ARGV[2] ~= '' then
  redis.call('EXPIRE', KEYS[4], ARGV[2])
  redis.call('EXPIRE', KEYS[5], ARGV[2])
end
return 1
