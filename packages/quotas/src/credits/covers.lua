-- Decides groups with a balance. Behind its claim is a note: which claims of the group it covers, as a sum of 2^(place - 1); -1
-- for a balance that covers none, which is decided as any other claim.
local function is_covering(claim)
  return policies[claim].is_balance and tonumber(permits[claim]) >= 0
end

local function covers(claim, other)
  return floor(permits[claim] / 2 ^ (other - 1)) % 2 == 1
end

local function denies(claim)
  return waits[claim] ~= 0 and not shadow[claim] and not is_covering(claim)
end

-- The claim of the balance that pays, because it covers all claims that deny and holds its cost.
local function payer_of(size)
  for claim = 1, size do
    local pays = is_covering(claim) and waits[claim] == 0
    for other = 1, size do pays = pays and (not denies(other) or covers(claim, other)) end
    if pays then return claim end
  end
end

local function are_admitted(size)
  for claim = 1, size do
    if denies(claim) then return payer_of(size) ~= nil end
  end
  return true
end

local function consume_group(size)
  local is_denied = false
  for claim = 1, size do read_and_wait(claim) end
  for claim = 1, size do is_denied = is_denied or denies(claim) end
  local payer = is_denied and payer_of(size)
  for claim = 1, size do
    if is_covering(claim) then
      settle(claim, claim == payer)
    elseif payer then
      settle(claim, not covers(payer, claim))
    else
      settle(claim, not is_denied)
    end
  end
  return not is_denied or payer ~= nil
end
