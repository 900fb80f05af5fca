/** What the fields of the playground hold, as texts: those of an address too. */
export interface Setup {
  readonly algorithm: string;
  readonly limit: string;
  readonly window: string;
  /** Of a token bucket. Empty: the limit. */
  readonly burst: string;
  /** Of a leaky bucket. Empty: 10. */
  readonly queue: string;
  /** An algorithm to compare with. Empty: none. */
  readonly against: string;
  /** As `sluice simulate` takes it: `steady:1/s`. */
  readonly load: string;
  /** Adds to the load. Empty: nothing. */
  readonly more: string;
  readonly clients: string;
  readonly for: string;
  readonly seed: string;
}

export const ALGORITHMS = ['sliding-window', 'sliding-window-log', 'token-bucket', 'leaky-bucket', 'fixed-window'];

/** A limit meets bursts that two algorithms treat differently. */
export const FIRST: Setup = {
  algorithm: 'sliding-window',
  limit: '100',
  window: '1m',
  burst: '',
  queue: '',
  against: 'fixed-window',
  load: 'steady:1/s',
  more: 'bursts:90/67s',
  clients: '1',
  for: '10m',
  seed: '1',
};

/** The setup of an address: `#limit=20&load=steady%3A1%2Fs`. What it leaves out is as at first. */
export function setupOf(hash: string): Setup {
  const given = Object.entries(Object.fromEntries(new URLSearchParams(hash.replace(/^#/, ''))));
  return { ...FIRST, ...Object.fromEntries(given.filter(([name]) => Object.hasOwn(FIRST, name))) };
}

/** The address of a setup: what differs from the first one. */
export function hashOf(setup: Setup): string {
  const given = Object.entries(setup).filter(([name, value]) => value !== FIRST[name as keyof Setup]);
  return new URLSearchParams(given as [string, string][]).toString();
}

/** The options of `sluice simulate`. */
export function optionsOf(setup: Setup) {
  const { algorithm, against, load, more, clients, seed } = setup;
  return {
    limits: limitText(setup, algorithm),
    against: against === '' ? undefined : limitText(setup, against),
    load: [load, more, ...(clients.trim() === '1' ? [] : [`clients:${clients.trim()}`])]
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    for: setup.for.trim(),
    seed: seed.trim(),
  };
}

/** What prints the same in a terminal. */
export function commandOf(setup: Setup): string {
  const { limits, against, load, for: duration, seed } = optionsOf(setup);
  const given = [
    ['limits', limits],
    ...(against === undefined ? [] : [['against', against]]),
    ...load.map((each) => ['load', each]),
    ['for', duration],
    ['seed', seed],
  ];
  return `npx @sluice/cli simulate ${given.map(([name, value]) => `--${name} "${value}"`).join(' ')}`;
}

function limitText({ limit, window, burst, queue }: Setup, algorithm: string): string {
  const words = [`${limit.trim()}/${window.trim()}`, algorithm];
  if (algorithm === 'token-bucket' && burst.trim() !== '') words.push(`burst=${burst.trim()}`);
  if (algorithm === 'leaky-bucket') words.push(`queue=${queue.trim() || '10'}`);
  return words.join(' ');
}
