import type { Emitter, Policy } from '@sluice/core/internal';

/** Spends the units that a balance holds. */
export const emitBalance: Emitter<Policy> = () => ({
  needs: ['balance.spending'],
  begin: '',
  read: `
local $text = pcall('HGET', $key, 'left')
if not $text then
  $found, $room = 0, 0
elseif type($text) == 'string' and #$text <= 16 and $text:find('^%d+$') then
  $found = tonumber($text)
  $room = $found
end`,
  settle: `
if charged > 0 then
  local now = floor(now_us / 1000)
  save_balance($key, $found - charged, $found, floor(now / SPENT_HOUR), now)
end`,
});
