-- Where there is no short way, the long way is that of all keys.
local reply, rest, repeats = { now_us }, {}, 2 + ARGV[2]
for index = 1, #KEYS do rest[index] = index + 1 end
