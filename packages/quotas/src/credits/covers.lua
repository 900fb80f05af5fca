-- Which balance pays for a request. `covered` says of each claim which others it covers, as a sum of 2^(place - 1), or -1 where it
-- pays for none. `fits` says of a balance that covers others whether it holds its cost, and of all other claims whether they admit
-- the request.
local function covers(places, other)
  return floor(places / 2 ^ (other - 1)) % 2 == 1
end

-- The first balance that holds its cost and covers all claims that deny. Only a request that is denied asks.
local function payer_of(fits, covered)
  for claim, places in ipairs(covered) do
    local pays = places >= 0 and fits[claim]
    for other, others in ipairs(covered) do
      pays = pays and (fits[other] or others >= 0 or covers(places, other))
    end
    if pays then return claim end
  end
end

-- Whether an admitted request charges a claim. `payer` is nil where no balance has to pay.
local function is_charged_by(payer, claim, covered)
  if covered[claim] >= 0 then return claim == payer end
  return not payer or not covers(covered[payer], claim)
end
