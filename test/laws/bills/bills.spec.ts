import * as fc from 'fast-check';
import { defaults } from '../../monitoring/settings.js';
import { sluiceAlerts } from '../../monitoring/alerts.js';
import { onEveryPlace, type Place } from '../places.js';
import { BILL_KINDS, type BillKind } from './bill-kinds.js';
import { BillWorld } from './bill-world.js';
import { Billed, unitsOf } from './billed.js';
import { Exporter, type Fate } from './exporter.js';

type Step =
  | { readonly kind: 'ask'; readonly user: number; readonly cost: number }
  | { readonly kind: 'correct'; readonly which: number; readonly units: number | undefined }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'reshape'; readonly to: number }
  | { readonly kind: 'export'; readonly fate: Fate };

const USERS = [0, 1] as const;
const KINDS = BILL_KINDS.filter(({ refused }) => refused === undefined);
const REFUSED = BILL_KINDS.filter(({ refused }) => refused !== undefined);
/** Histories of a place, over all kinds. `npm run tool -- laws` takes 1 000. */
const HISTORIES = 20 * Number(process.env['SLUICE_LAW_RUNS'] ?? 1);
const RUNS = Math.ceil(HISTORIES / KINDS.length);
const TIMEOUT = 30_000 + 2_000 * RUNS;
const HOUR = 3_600_000;

const user = fc.constantFrom(...USERS);
const step = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Step> }[]>(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('ask'), user, cost: fc.integer({ min: 1, max: 7 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('correct'),
      which: fc.nat(9),
      units: fc.option(fc.nat(9), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait'), milliseconds: fc.constantFrom(1, 900_000, HOUR, 5 * HOUR) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reshape'), to: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('export'),
      fate: fc.constantFrom<Fate>('works', 'fails', 'late', 'dies before', 'dies after'),
    }),
  },
);
const histories = fc.array(step, { minLength: 8, maxLength: 30 });

const { above } = sluiceAlerts(defaults).find(({ name }) => name === 'SluiceUsageExportOld')!;
let worlds = 0;

onEveryPlace((newPlace) => {
  let place: Place;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => place.clock());
    jest.spyOn(Date, 'now').mockImplementation(() => Math.floor(place.clock()));
  });

  afterEach(() => jest.restoreAllMocks());

  /** On a place of its own: what another history has left is no part of its bill. */
  function begin(kind: BillKind) {
    place = newPlace();
    worlds += 1;
    const world = new BillWorld(kind, place, `bills-${worlds}`);
    const billed = new Billed();
    return { world, billed, exporter: new Exporter(place, world.prefix, billed) };
  }

  const take = {
    ask: ({ world }: Scene, { user: who, cost }: Of<'ask'>) => world.ask(who, cost),
    correct: ({ world }: Scene, { which, units }: Of<'correct'>) => world.correct(which, units),
    wait: (_scene: Scene, { milliseconds }: Of<'wait'>) => place.clock.advance(milliseconds),
    reshape: ({ world }: Scene, { to }: Of<'reshape'>) => world.reshape(to),
    export: ({ exporter }: Scene, { fate }: Of<'export'>) => exporter.run(fate),
  };
  type Scene = ReturnType<typeof begin>;
  type Of<K extends Step['kind']> = Extract<Step, { kind: K }>;

  describe.each(KINDS.map((kind) => [kind.name, kind] as const))('the bill of %s', (_name, kind) => {
    it(
      'has what requests keep, of each owner and hour, whatever becomes of shapes and exports',
      async () => {
        const property = fc.asyncProperty(histories, async (history) => {
          const scene = begin(kind);
          for (const each of history) await take[each.kind](scene, each as never);
          const { world, billed, exporter } = scene;
          for (const each of USERS) expect(await world.read(each)).toEqual(world.expected(each));
          const status = await exporter.finish();
          expect(billed.units).toEqual(unitsOf(world.kept));
          expect(status).toMatchObject({ age: 0, problem: undefined });
          await place.close();
        });

        await expect(fc.assert(property, { numRuns: RUNS, includeErrorInReport: true })).resolves.toBeUndefined();
      },
      TIMEOUT,
    );
  });

  it('fires the alert when no sink has ever worked, however often its process starts', async () => {
    const { world, exporter } = begin(KINDS[0]!);
    const ages: number[] = [];
    await world.ask(0, 5);
    place.clock.advance(2 * HOUR);

    for (let start = 0; start < 5; start += 1) {
      ages.push((await exporter.ageOfFailure()) ?? -1);
      place.clock.advance(HOUR);
    }

    expect(ages.map((age) => age / 3_600)).toEqual([1, 2, 3, 4, 5]);
    expect((await exporter.ageOfFailure())!).toBeGreaterThan(above);
    await place.close();
  });

  it('has all hours of a customer after one export, and those again that change after two', async () => {
    const { world, billed, exporter } = begin(KINDS[0]!);
    // Later charges tell the export of their hours.
    await exporter.run('works');
    await world.ask(0, 5);
    place.clock.advance(HOUR);
    await world.ask(0, 3);
    place.clock.advance(2 * HOUR);
    await exporter.run('works');
    const [all, kept] = [billed.units, unitsOf(world.kept)];

    await exporter.run('works');
    await world.correct(0, undefined);
    await exporter.run('works');

    expect(Object.values(kept)).toEqual([5, 3]);
    expect(all).toEqual(kept);
    expect(billed.units).toEqual(unitsOf(world.kept));
    await place.close();
  });

  it.each(REFUSED.map((kind) => [kind.name, kind] as const))('is refused for %s', async (_name, kind) => {
    expect(() => begin(kind)).toThrow(kind.refused);
    await place.close();
  });
});
