import type { Mark } from '../../model/notice.js';
import type { Emitter } from '../../algorithms/emitter.js';
import { emitFixedWindow } from '../../algorithms/fixed-window/fixed-window-emitter.js';
import { COUNT_RANGE, type FixedWindowPolicy } from '../../algorithms/fixed-window/window-policy.js';

/** Reads what was reported only when a charge reaches a mark, which is a few times in a window. */
export const emitNoticedWindow: Emitter<FixedWindowPolicy> = (policy) => {
  const window = emitFixedWindow(policy);
  return {
    ...window,
    needs: ['reported'],
    read: `${window.read}
local $reported = 0`,
    settle: `${window.settle}
if charged > 0 then
  local before = $found % ${COUNT_RANGE}
  local count = before + charged
  local mark = ${highestOf(policy.marks!)}
  if mark > before then
    $reported = reported_in($key, $found == 0 and $empty or $found - before)
    if $reported < mark then report($key, ($found == 0 and $empty or $found - before) + mark, call('PEXPIRETIME', $key)) end
  end
end`,
    reply: ['$found', '$reported'],
  };
};

/** The units of the highest mark that `count` has reached, or 0. */
function highestOf(marks: readonly Mark[]): string {
  return [...marks.toReversed().map(({ units }) => `count >= ${units} and ${units}`), '0'].join(' or ');
}
