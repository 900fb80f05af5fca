-- The fast path for keys that are new, and for keys whose time has moved on to another grain.
local bucket, is_complete = { tolerance = tolerance, grain = grain }, true
for index = 1, #KEYS do
  local key, after = KEYS[index], others and others[index]
  if after and fast_reply[index + 1] ~= LEFT_OVER then
    if texts[index] then
      extend_life(key, texts[index] + 0, after, bucket)
    elseif not call('SET', key, after, 'NX', 'PXAT', expiry_of(after, bucket)) then
      -- MGET reads a key of another type as none.
      fast_reply[index + 1] = LEFT_OVER
    end
  end
  is_complete = is_complete and fast_reply[index + 1] ~= LEFT_OVER
end
