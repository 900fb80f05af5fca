-- Reads a page of a list: items by the number of their last change.
--
-- KEYS  the list and its log.
-- ARGV  the epoch that is known; the last number that is known of an item, and of a removal.
-- Returns the server's milliseconds; `epoch`, `version` and `floor`; 1 if a process restores it; 1 if there are more items;
-- both numbers that the page begins after, which are others if the whole list is to be read; then the items. An item is
-- its number, counted from where the page begins, and its name and value. A removal is a number below 0 and a name.
local most_items, most_bytes = 200, 4000
local added, removed = ARGV[2] + 0, ARGV[3] + 0
if ARGV[1] + 0 ~= epoch or removed < forgotten or max(added, removed) > version then
  added, removed = 0, forgotten
end
local reply = { text(now_ms), text(epoch), text(version), text(forgotten), restorer and '1' or '0', '0', text(added), text(removed) }
local bytes = 0
local function append(item)
  if bytes >= most_bytes then
    reply[6] = '1'
    return
  end
  reply[#reply + 1] = item
  -- With its length and its ends of lines.
  bytes = bytes + #item + 8
end

local items = call('ZRANGE', log, '(' .. text(added), '+inf', 'BYSCORE', 'LIMIT', 0, most_items, 'WITHSCORES')
local names = {}
for at = 1, #items, 2 do names[#names + 1] = items[at] end
local values = #names > 0 and call('HMGET', list, unpack(names)) or {}
for index, name in ipairs(names) do
  if name ~= 'version' then append(text(items[index * 2] - added) .. ' ' .. name .. ' ' .. (values[index] or '')) end
end
local removals = call('ZRANGE', log, '(' .. text(-removed), '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, most_items, 'WITHSCORES')
for at = 1, #removals, 2 do append(text(removals[at + 1] + removed) .. ' ' .. removals[at]) end
if #names == most_items or #removals == most_items * 2 then reply[6] = '1' end
return reply
