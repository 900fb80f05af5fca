import diagnostics from 'node:diagnostics_channel';

// Jest loads this before each spec. The specs of a worker share the channels of Node, so that a store which lives on after
// its spec publishes in later ones. It fails them here, by the name of the spec that must close it.

const CHANNELS = ['store-call', 'breaker', 'late-reply', 'config-fault', 'list-failed'].map((name) => `sluice:${name}`);

const SPECS = Symbol.for('sluice.specs');
/** The path of each spec, by the prototype of its objects. All specs of a worker have this module of Node in common. */
const specs = ((diagnostics as { [SPECS]?: WeakMap<object, string> })[SPECS] ??= new WeakMap());
specs.set(Object.prototype, expect.getState().testPath!);

const strangers = new Set<string>();

function onEvent(event: unknown, channel: string | symbol): void {
  const spec = specs.get(Object.getPrototypeOf(event) as object);
  if (spec !== undefined && spec !== expect.getState().testPath) strangers.add(`${String(channel)} of ${spec}`);
}

beforeAll(() => {
  for (const channel of CHANNELS) diagnostics.subscribe(channel, onEvent);
});

afterAll(() => {
  for (const channel of CHANNELS) diagnostics.unsubscribe(channel, onEvent);
  if (strangers.size === 0) return;
  throw new Error(`a store lives on after its spec, which must close it: ${[...strangers].join(', ')}`);
});
