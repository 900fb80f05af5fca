-- A ring of slots: state[1] is the number of the newest slot, state[2] .. state[ring + 1] its units and those of older
-- slots. The second value of the state is the integer that it was stored as, if it was.
-- Stored as: one integer, where it can be packed; else as ring.packing.lua says.
-- Policy: slot, ring; windows of { limit, slots, strict }.

local function is_ring_ahead(stored, _, now, policy)
  return stored[1] > floor(now / policy.slot)
end

local function read_ring(stored, value, now, policy)
  local newest = floor(now / policy.slot)
  local shift = policy.ring
  if stored then shift = max(0, newest - stored[1]) end
  if shift == 0 and stored[1] == newest then return stored, value end
  local counts = { newest }
  for index = 1, policy.ring do
    counts[index + 1] = index > shift and stored[index + 1 - shift] or 0
  end
  return counts, value
end

local function used(state, now, policy, window)
  local slot, full = policy.slot, 0
  for index = 1, window.slots do full = full + min(state[index + 1], window.limit) end
  local oldest = min(state[window.slots + 2], window.limit)
  if window.strict then return full + oldest end
  return full + floor((oldest * (slot - now + state[1] * slot) + slot - 1) / slot)
end

local function charge_ring(state, value, units)
  local counts = { unpack(state) }
  counts[2] = counts[2] + units
  return counts, value
end

local function refund_ring(stored, value, now, policy, units, at)
  local state = read_ring(stored, value, now, policy)
  local index = state[1] - floor(at / policy.slot) + 1
  if index < 1 or index > policy.ring then return state, value, 0 end
  local given = min(units, state[index + 1])
  state[index + 1] = state[index + 1] - given
  return state, value, given
end

-- Only the lower bits of a slot's number are stored: of the numbers with these bits, the nearest is meant.
local function dated(newest, bits, range)
  local age = (newest - bits) % range
  if age >= range / 2 then age = age - range end
  return newest - age
end

local function parse_ring(text, now, policy)
  local newest = floor(now / policy.slot)
  if #text == policy.ring * COUNT_BYTES + COUNTS_AT - 1 and text:byte() == RING then
    local state = { 0, struct.unpack('>' .. ('I4'):rep(policy.ring), text, COUNTS_AT) }
    state[1] = dated(newest, (struct.unpack('>I4', text, 2)), BITS_RANGE)
    state[policy.ring + 2] = nil
    return state, nil
  end
  local value = integer(text)
  if not value or policy.ring ~= 2 then return nil, nil, 'SLUICE_UNREADABLE' end
  local bits, older, newer = unpack_slots(value)
  return { dated(newest, bits, SLOT_RANGE), newer, older }, value
end

local function fetch_ring(key, now, policy)
  local text, problem = fetch_text(key)
  if not text then return nil, nil, problem end
  return parse_ring(text, now, policy)
end

local function save_ring(key, state, value, _, _, policy)
  local newer, older = state[2], state[3]
  local expires = ceil((state[1] + policy.ring) * policy.slot * policy.tick / 1000)
  if policy.ring == 2 and newer < UNIT_RANGE and older < UNIT_RANGE then
    local packed = pack_slots(state[1], older, newer)
    if value and floor(value / UNIT_RANGE) == floor(packed / UNIT_RANGE) then return call('INCRBY', key, packed - value) end
    return call('SET', key, packed, 'PXAT', expires)
  end
  local total = 0
  for index = 1, policy.ring do total = total + state[index + 1] end
  local counts = struct.pack('>' .. ('I4'):rep(policy.ring), unpack(state, 2))
  return call('SET', key, pack_head(state[1], total) .. counts, 'PXAT', expires)
end
