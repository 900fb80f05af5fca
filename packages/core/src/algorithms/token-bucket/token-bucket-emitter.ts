import type { Emitter } from '../emitter.js';
import type { BucketPolicy } from './bucket-policy.js';

/**
 * A bucket whose rate divides its window. The script charges before it compares, which takes one command a key until
 * the bucket is full again.
 */
export const emitTokenBucket: Emitter<BucketPolicy> = ({ limit, quotient, tolerance: [tolerance] }) => {
  const grain = Math.ceil((quotient * limit) / 64);
  const expiry = `ceil((after - after % ${grain} + ${grain + tolerance + 2}) / 1000)`;
  return {
    begin: `
local $latest = now_us + ${tolerance}`,
    read: `
local $cost = units and ('%.0f'):format(count * ${quotient}) or '${quotient}'
local $time, $from = pcall('INCRBY', $key, $cost), nil
if type($time) == 'number' then
  $time = $time - count * ${quotient}
  if $time >= 0 and $time <= $latest then
    $from = $time > now_us and $time or now_us
    $found, $room = $from - now_us, floor(($latest - $from) / ${quotient})
  else
    call('DECRBY', $key, $cost)
  end
end`,
    settle: `
local after = $from + charged * ${quotient}
if charged == 0 then
  -- Where there was no key, the command that charged it has made one.
  if $time == 0 then call('UNLINK', $key) else call('DECRBY', $key, $cost) end
elseif $time == 0 then
  call('SET', $key, after, 'PXAT', ${expiry})
else
  local excess, begins = after - $time - count * ${quotient}, after - after % ${grain}
  if excess ~= 0 then call('INCRBY', $key, excess) end
  -- A key outlives all times of a grain, by a refill. This also heals a TTL that is missing or too short.
  if $time < begins and call('PEXPIRETIME', $key) * 1000 < begins + ${grain} then call('PEXPIREAT', $key, ${expiry}) end
end`,
  };
};
