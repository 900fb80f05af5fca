import { checkCallOptions, durationArgument, show, UsageError } from '@sluice/core/internal';
import type { AddOptions } from '../networks/ip-list-interface.js';
import { networkText, readNetwork } from '../networks/network.js';

const FOR = { range: '1 s to 400 days', min: 1e6, max: 3.456e13, example: "3600000 or '1h'" };
const ADD_OPTIONS: readonly (keyof AddOptions)[] = ['for', 'note'];
const MAX_NOTE = 200;

/** How a network is added. */
export interface Addition {
  /** Milliseconds. 0: for good. */
  readonly duration: number;
  readonly note: string;
}

/** The options of `add`. @throws UsageError */
export function readAddition(owner: string, options: AddOptions): Addition {
  checkCallOptions(`${owner}: add`, options, ADD_OPTIONS);
  const { note = '', for: duration } = options;
  const microseconds = duration === undefined ? 0 : durationArgument(duration, `${owner}: add`, 'for', FOR);
  if (typeof note !== 'string' || note.length > MAX_NOTE) {
    throw misuse(`${owner}: add: note must be a string of at most ${MAX_NOTE} characters`);
  }
  return { duration: Math.ceil(microseconds / 1e3), note };
}

/** The names of networks, each once. @throws UsageError */
export function readNetworks(operation: string, networks: string | readonly string[]): readonly string[] {
  const given: readonly unknown[] = Array.isArray(networks) ? networks : [networks];
  const names = given.map((text) => {
    const network = readNetwork(text);
    if (typeof network !== 'string') return networkText(network);
    throw misuse(`${operation}: a network ${network}, got ${show(text)}`);
  });
  return [...new Set(names)];
}

function misuse(message: string): UsageError {
  return new UsageError('USAGE_INVALID', message);
}
