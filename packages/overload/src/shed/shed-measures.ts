import { type Fact, type Measures, type Numbers, type Recorder, subscribe } from '@sluice/core/internal';
import { doorEvent, loadEvent, shedEvent } from './shed-events.js';

/** Milliseconds for which the longest hold is shown: longer than the interval of most scrapes. */
const MINUTE = 60_000;

const PRIORITIES = ['normal', 'sheddable'] as const;

/** What shedders have measured last, and what they have refused and held. */
export const shedMeasures = {
  name: 'shedder',
  instruments: [
    {
      name: 'sluice.shed.level',
      kind: 'gauge',
      unit: '{point}',
      description:
        'How overloaded the process is: at 100 all sheddable requests are refused, at 200 all normal ones too',
      across: 'max',
      attributes: [],
    },
    {
      name: 'sluice.shed.delay',
      kind: 'gauge',
      unit: 's',
      description: 'The standing delay of the event loop',
      across: 'max',
      attributes: [],
    },
    {
      name: 'sluice.shed.requests',
      kind: 'counter',
      unit: '{request}',
      description: 'Requests that a shedder has refused, or would have',
      attributes: ['sluice.priority', 'sluice.shadow', 'sluice.queue'],
    },
    {
      name: 'sluice.door.requests',
      kind: 'counter',
      unit: '{request}',
      description: 'Requests that a shedder has held while new connections queued',
      attributes: ['sluice.left'],
    },
    {
      name: 'sluice.door.hold',
      kind: 'gauge',
      unit: 's',
      description: 'The longest time that a request was held in the last minute, while new connections queued',
      across: 'max',
      attributes: [],
    },
  ],
  attributes: {
    'sluice.priority': { description: 'the priority of a refused request', values: PRIORITIES },
    'sluice.queue': { description: 'the name of a queue before a pool; absent for the event loop' },
    'sluice.left': {
      description: 'true for clients that had left when their requests were let in',
      values: ['true', 'false'],
    },
  },
  start(recorder) {
    const { read, stop } = startDoor(recorder);
    // A series that begins with its first event is one event short in `increase()`.
    for (const priority of PRIORITIES) for (const shadow of [false, true]) addShed(recorder, { priority, shadow }, 0);
    /** The worst of the shedders, which differ in their targets. */
    const loads = new Map<number, { readonly level: number; readonly standing: number }>();
    const ends = [
      stop,
      subscribe(shedEvent, (event) => addShed(recorder, event, 1)),
      subscribe(loadEvent, ({ level, standing, target }) => {
        loads.set(target, { level, standing });
        const all = [...loads.values()];
        recorder.set('sluice.shed.level', Math.max(...all.map((load) => load.level)));
        recorder.set('sluice.shed.delay', Math.max(...all.map((load) => load.standing)) / 1e3);
      }),
    ];
    return { read, stop: () => void ends.map((end) => end()) };
  },
  facts: (numbers) => (numbers('sluice.shed.level').length === 0 ? [] : factsOf(numbers)),
} as const satisfies Measures;

function addShed(
  recorder: Recorder,
  { priority, shadow, queue }: { readonly priority: string; readonly shadow: boolean; readonly queue?: string },
  requests: number,
): void {
  recorder.add('sluice.shed.requests', requests, {
    'sluice.priority': priority,
    'sluice.shadow': String(shadow),
    ...(queue !== undefined && { 'sluice.queue': queue }),
  });
}

function startDoor(recorder: Recorder) {
  let longest = 0;
  let longestAt = -Infinity;
  const isOver = () => recorder.clock() - longestAt >= MINUTE;
  const count = (requests: number, left: boolean) =>
    recorder.add('sluice.door.requests', requests, { 'sluice.left': String(left) });
  count(0, false);
  count(0, true);
  const stop = subscribe(doorEvent, (event) => {
    count(event.held - event.left, false);
    count(event.left, true);
    if (event.longest < longest && !isOver()) return;
    longest = event.longest;
    longestAt = recorder.clock();
  });
  return { stop, read: () => recorder.set('sluice.door.hold', isOver() ? 0 : longest / 1e3) };
}

function factsOf(numbers: Numbers): readonly Fact[] {
  const sum = (instrument: string, attribute: string, value: string) =>
    numbers(instrument)
      .filter(({ attributes }) => attributes[attribute] === value)
      .reduce((total, point) => total + point.value, 0);
  const refused = (priority: string) =>
    numbers('sluice.shed.requests')
      .filter(({ attributes }) => attributes['sluice.priority'] === priority && attributes['sluice.shadow'] === 'false')
      .reduce((total, { value }) => total + value, 0);
  const shadowed = sum('sluice.shed.requests', 'sluice.shadow', 'true');
  const [level, delay, longest] = ['shed.level', 'shed.delay', 'door.hold'].map(
    (name) => numbers(`sluice.${name}`)[0]?.value ?? 0,
  ) as [number, number, number];
  const left = sum('sluice.door.requests', 'sluice.left', 'true');
  const held = left + sum('sluice.door.requests', 'sluice.left', 'false');
  const shadow = shadowed === 0 ? '' : `, ${shadowed} in shadow`;
  return [
    { name: 'Overload', text: levelText(level), detail: `delay ${Math.round(delay * 1e3)} ms` },
    { name: 'Refused', text: `${refused('sheddable')} sheddable, ${refused('normal')} normal${shadow}` },
    {
      name: 'Held for new connections',
      text: held === 0 ? 'nobody' : `${held}, ${left} had left`,
      ...(longest > 0 && { detail: `longest ${Math.round(longest * 1e3)} ms` }),
    },
  ];
}

/** A level in words. */
export function levelText(level: number): string {
  return level === 0 ? 'calm' : `level ${Math.ceil(level)} of 200`;
}
