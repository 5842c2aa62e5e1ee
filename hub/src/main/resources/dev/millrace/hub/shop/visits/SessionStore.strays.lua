-- strays: remove tokens that were seen long ago and belong to nobody, as another program leaves
-- them that was ended between two writes.
--
-- KEYS  1–3 as in session
-- ARGV  1 where to go on, "0" for the beginning   2 about how many   3 now in µs   4 lifetime in s
-- Returns {where to go on, "0" at the end; how many were removed}.

local step = redis.call('ZSCAN', recent, ARGV[1], 'COUNT', ARGV[2])
local strays = {}
for i = 1, #step[2], 2 do
  local session = look(step[2][i])
  if not session.user and ending(session, tonumber(ARGV[4])) <= ARGV[3] / 1000000 then
    strays[#strays + 1] = {step[2][i], session}
  end
end
for _, each in ipairs(strays) do remove(each[1], each[2]) end
return {step[1], #strays}
