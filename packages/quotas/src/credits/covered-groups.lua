-- Decides groups with a balance. Behind its claim is a note: what it covers, for `covered` of covers.lua.
local function are_admitted(size)
  local fits, covered, is_denied = {}, {}, false
  for claim = 1, size do
    local places = policies[claim].is_balance and tonumber(permits[claim]) or -1
    covered[claim], fits[claim] = places, waits[claim] == 0 or places < 0 and shadow[claim]
    is_denied = is_denied or places < 0 and not fits[claim]
  end
  local payer = is_denied and payer_of(fits, covered) or nil
  return not is_denied or payer ~= nil, payer, covered
end

local function consume_group(size)
  for claim = 1, size do read_and_wait(claim) end
  local is_admitted, payer, covered = are_admitted(size)
  for claim = 1, size do settle(claim, is_admitted and is_charged_by(payer, claim, covered)) end
  return is_admitted
end
