-- Writes items and removals back that a process knows, and a server that has lost data does not: the last change wins.
--
-- KEYS  the list and its log.
-- ARGV  the process that restores; the `floor` that it knows, with the last page only; for each item its name, its number (negative for
--       a removal), its end in milliseconds and its note.
-- Returns 1, or 0 while another process restores the list: then nothing was written.
if restorer and restorer ~= ARGV[1] then return 0 end
local is_last = ARGV[2] ~= ''
-- No number tells other processes of what is written here.
if is_last or not restorer then epoch = max(now_us, epoch + 1) end
for at = 3, #ARGV, 4 do
  local name, number = ARGV[at], ARGV[at + 1] + 0
  if abs(number) > abs((call('ZSCORE', log, name) or 0) + 0) then
    if number > 0 then
      call('HSET', list, name, ARGV[at + 2] .. ' ' .. ARGV[at + 3])
    else
      call('HDEL', list, name)
    end
    call('ZADD', log, text(number), name)
    version = max(version, abs(number))
  end
end
if is_last then
  -- Before, another process would drop what is still to be written.
  forgotten = max(forgotten, ARGV[2] + 0)
  forget_removals()
  call('HDEL', list, 'restorer')
else
  call('HSET', list, 'restorer', ARGV[1] .. ' ' .. text(now_ms + 5000))
end
save()
return 1
