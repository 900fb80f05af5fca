import type { Terminal } from '../terminal/terminal.js';
import type { StoredKey } from './stored-keys.js';
import type { ClientOptions, ClientStates } from './tier-states.js';

/** Notes of what a command cannot know. */
export function noteGaps(terminal: Terminal, states: ClientStates, options: ClientOptions): void {
  const open = states.tiers.filter(({ isLimitKnown, inspection }) => !isLimitKnown && inspection.isStored);
  for (const { tier } of open) {
    terminal.note(
      `${tier.name} has a state, and its limit depends on the request: pass the limit of this client as --limit`,
    );
  }
  const planned = states.tiers.filter(({ plan, inspection }) => plan !== undefined && inspection.isStored);
  if (options.plan === undefined && planned.length > 1) {
    const plans = [...new Set(planned.map(({ plan }) => plan))].join(', ');
    terminal.note(`the limit depends on the plan of this client: pass --plan with one of ${plans}`);
  }
  const isHidden = ({ isPartitioned }: StoredKey) => isPartitioned && options.partition === undefined;
  for (const name of namesOf(states.others.filter(isHidden))) {
    terminal.note(`${name} has a state in a partition: pass --partition`);
  }
  for (const name of namesOf(states.others.filter((each) => !isHidden(each)))) {
    terminal.note(
      `${name} has a state, and the configuration has no such tier: list its plan in plans of the limiter, or import its limiter`,
    );
  }
}

/** Each name once. */
export function namesOf(keys: readonly StoredKey[]): readonly string[] {
  return [...new Set(keys.map(({ tier }) => tier))];
}
