const LIMITER_OPTIONS = [
  'store',
  'prefix',
  'secret',
  'partition',
  'onStoreFailure',
  'share',
  'denyCache',
  'onNotice',
] as const;
const GATE_OPTIONS = ['headers', 'body', 'onDenied', 'shed'] as const;

/** The options that a gate inherits from the plugin or module around it. Tiers, costs and skipping are not inherited. */
export const INHERITED_OPTIONS = [...LIMITER_OPTIONS, ...GATE_OPTIONS] as const;

/**
 * Adds inherited options to those of a gate. A shared limiter has its own store and the like, so its gate inherits only
 * options about answers.
 *
 * @param inherited options of the plugin or module; others than {@link INHERITED_OPTIONS} are ignored
 */
export function inheritOptions<O extends object>(own: O, inherited: Readonly<Record<string, unknown>>): O {
  const names = 'limiter' in own && own.limiter !== undefined ? GATE_OPTIONS : INHERITED_OPTIONS;
  const entries = [...names.map((name) => [name, inherited[name]] as const), ...Object.entries(own)];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as O;
}
