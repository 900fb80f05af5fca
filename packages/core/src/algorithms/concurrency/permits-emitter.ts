import type { Emitter } from '../emitter.js';
import type { PermitPolicy } from './permit-policy.js';

const MORE_UNITS = `for number = charged, 2, -1 do call('ZADD', $key, $until, permit .. '.' .. number) end
  `;

/** Units that a request holds. The first has the name `permit`, and the others have numbers behind it. */
export const emitPermits: Emitter<PermitPolicy> = ({ limit, hold }, hasCosts) => ({
  begin: `
local $now = floor(now_us / 1000)
local $after, $until = '(' .. $now, ('%.0f'):format($now + ${hold})`,
  read: `
local $size = pcall('ZCARD', $key)
if $size == 0 then
  $found, $room = 0, ${limit}
elseif type($size) == 'number' then
  local live = call('ZCOUNT', $key, $after, $until)
  -- The others have lapsed, or are ahead of the clock.
  if live == $size or call('ZCOUNT', $key, '(' .. $until, '+inf') == 0 then
    $found, $room = live, ${limit} - live
  end
end`,
  settle: `
if charged > 0 then
  if $found < $size then call('ZREMRANGEBYSCORE', $key, 0, $now) end
  ${hasCosts ? MORE_UNITS : ''}call('ZADD', $key, $until, permit)
  call('PEXPIREAT', $key, $until)
end`,
});

/** The same where requests wait. Left over are states with wishes, denials and processes with others in line, which leave wishes. */
export const emitWaitingPermits: Emitter<PermitPolicy> = (policy, hasCosts) => {
  const { limit } = policy;
  return {
    ...emitPermits(policy, hasCosts),
    read: `
local $size = not permit:find('![1-9]') and pcall('ZCARD', $key)
if $size == 0 then
  $found, $room = 0, ${limit}
elseif type($size) == 'number' and $size + count <= ${limit} and call('ZCOUNT', $key, $after, $until) == $size then
  $found, $room = $size, ${limit} - $size
end`,
  };
};
