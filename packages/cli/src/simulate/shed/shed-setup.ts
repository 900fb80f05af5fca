import { usage } from '../../failure/failure.js';
import { parseTime } from '../../invocation/time.js';
import { sceneKinds } from './scene-kinds.js';
import type { Phase, Scene } from './scene.js';

export interface ShedSetup extends Scene {
  /** Requests a second. */
  readonly capacity: number;
}

const MOST = 1_000_000;
const SETUP = 'write the requests that a process can serve, such as "200/s target=50ms critical=30% normal=30%"';

/**
 * What `--shed` says, and `--load` beside it. Core checks the options of the shedder.
 *
 * @throws Failure for a text that is no setup, or no load
 */
export function shedSetupOf(text: string, loads: readonly string[], seed: number): ShedSetup {
  const given: Record<string, string> = {};
  let capacity = 0;
  for (const word of text.trim().split(/\s+/)) {
    const [, count, every] = /^(\d+)\/(.+)$/.exec(word) ?? [];
    const time = every === undefined ? undefined : parseTime(/^\d/.test(every) ? every : `1${every}`);
    const [, name, value] = /^(\w+)=(.+)$/.exec(word) ?? [];
    if (time !== undefined) capacity = (Number(count) * 1e3) / time;
    else if (name !== undefined) given[name] = value!;
    else throw usage(`--shed: "${word}" is no part of a setup: ${SETUP}`);
  }
  if (capacity === 0) throw usage(`--shed ${text}: the capacity is missing: ${SETUP}`);
  const { critical = '30%', normal = '30%', database, accepts = 'one', connections = 'kept', ...others } = given;
  const kind = sceneKinds.find((each) => others[each.word] !== undefined);
  const { [kind?.word ?? '']: word = '', ...shed } = others;
  const parts = { critical: partOf('critical', critical), normal: partOf('normal', normal) };
  if (parts.critical + parts.normal > 1) {
    throw usage(`--shed: critical and normal requests must take at most 100% of the capacity together`);
  }
  const setup = {
    capacity,
    work: 1e3 / capacity,
    ...parts,
    accepts: choiceOf('accepts', accepts, ['one', 'all']),
    connections: choiceOf('connections', connections, ['new', 'kept']),
    database: database === undefined ? 0 : durationOf('--shed: database', database),
    ...(kind !== undefined && { run: kind.read(word) }),
    seed,
    shed: shed as Scene['shed'],
    ...loadOf(loads),
  };
  const requests = setup.phases.reduce((sum, { times, lasts }) => sum + (times * lasts) / setup.work, 0);
  if (requests > MOST) {
    throw usage(`--load: ${requests.toPrecision(3)} requests are too many; at most ${MOST}: shorten a phase`);
  }
  return setup;
}

function loadOf(texts: readonly string[]): Pick<Scene, 'phases' | 'clients'> {
  const phases: Phase[] = [];
  let clients = 1_000;
  for (const text of texts) {
    const [, count] = /^clients:(\d+)$/.exec(text) ?? [];
    const [, times, lasts] = /^times:(\d+(?:\.\d+)?)\/(.+)$/.exec(text) ?? [];
    if (count !== undefined) clients = Math.max(1, Number(count));
    else if (Number(times) > 0) phases.push({ times: Number(times), lasts: durationOf(`--load ${text}`, lasts!) });
    else
      throw usage(`--load ${text}: with --shed write times:5/10s, five times the capacity for 10 s; or clients:1000`);
  }
  if (phases.length === 0) throw usage('--load: with --shed write phases, such as times:0.5/5s and times:5/10s');
  return { phases, clients };
}

function partOf(name: string, text: string): number {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (percent !== undefined) return Number(percent) / 100;
  throw usage(`--shed: ${name} must be a part of the capacity, such as ${name}=30%, got ${text}`);
}

function choiceOf<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw usage(`--shed: ${name} must be ${choices.join(' or ')}, such as ${name}=${choices[0]!}, got ${text}`);
}

function durationOf(where: string, text: string): number {
  const time = parseTime(text);
  if (time !== undefined) return time;
  throw usage(`${where}: write a duration such as 500ms, 5s or 2m`);
}
