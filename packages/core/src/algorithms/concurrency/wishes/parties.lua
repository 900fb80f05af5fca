-- Which parties of a limit wish units: a process ('~name') in which requests wait, or a caller ('|weight|caller').
-- The names of units begin with their process, and end with '!' and the others that wait there: 0 none, 1 some, 2 of its caller.
local WISH_LASTS, MARK_LASTS, MARK_COUNTS_FROM, PROCESS_LENGTH = 2, 1000, 250, 8

-- Which party of a kind the name of a unit or of a wish is of, and its weight.
local function party_in(kind, name)
  if kind == '|' then
    local weight, caller = name:match('|(%d+)|(%d+)')
    return caller, tonumber(weight)
  end
  local from = name:sub(1, 1) == '~' and 2 or 1
  return name:sub(from, from + PROCESS_LENGTH - 1), 1
end

-- Whom a claim is of: its caller, where callers share the limit, and the process in which it waits.
local function parties_of(policy, permit)
  local parties, others = {}, permit and permit:match('!(%d)')
  if policy.own then
    parties[1] = { kind = '|', name = policy.own, lasts = WISH_LASTS * policy.retry, from = 0, stays = others == '2' }
  end
  if others then
    local name = '~' .. permit:sub(1, PROCESS_LENGTH)
    parties[#parties + 1] = { kind = '~', name = name, lasts = MARK_LASTS, from = MARK_COUNTS_FROM, stays = others ~= '0' }
  end
  for _, party in ipairs(parties) do party.id, party.weight = party_in(party.kind, party.name) end
  return parties
end
