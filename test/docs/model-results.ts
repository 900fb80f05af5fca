import { models, type Break, type Model } from '../models/models.mjs';
import { identityOf, readResults, type Result } from '../models/results.mjs';
import { markdownTable, withTable } from './markdown-table.js';
import { page } from './pages.js';

const BOUNDS = '## Within which bounds';
const BREAKS = '## What breaks them';
const NAMES: readonly (readonly [macro: string, words: string])[] = [
  ['PROCESSES', 'processes'],
  ['RUNNING', 'requests of each at a time'],
  ['REQUESTS', 'requests'],
  ['LIMIT', 'limit'],
  ['UNITS', 'units'],
  ['TICKS', 'ticks'],
  ['FAULTS', 'faults'],
];

type Results = Readonly<Record<string, Result>>;

/** `docs/models.md` with the bounds of the models, their states, and what each break violates. */
export function modelsPage(): string {
  const results = readResults();
  const text = withTable(page('docs/models.md').text, BOUNDS, boundsTable(results));
  return withTable(text, BREAKS, breaksTable(results));
}

function boundsTable(results: Results): string {
  return markdownTable(
    ['model', 'bounds', 'states', 'longest path'],
    models.map((model) => {
      const { states, depth } = resultOf(results, model);
      return [model.name, boundsOf(model), shown(states), shown(depth)];
    }),
  );
}

function breaksTable(results: Results): string {
  const rows = models.flatMap((model) => model.breaks.map((fault) => ({ model, fault })));
  return markdownTable(
    ['model', 'broken', 'violates', 'after steps'],
    rows.map(({ model, fault }) => [
      model.name,
      fault.name,
      violated(fault),
      shown(resultOf(results, model, fault).steps),
    ]),
  );
}

/** Nothing for a model or a break that has changed since. */
function resultOf(results: Results, model: Model, fault?: Break): Partial<Result> {
  const result = results[fault === undefined ? model.name : `${model.name}: ${fault.name}`];
  return result?.identity === identityOf(model, fault) ? result : {};
}

function violated({ claim, with: others = [] }: Break): string {
  return [claim, ...others].map((each) => `\`${each}\``).join(', ');
}

function boundsOf({ bounds }: Model): string {
  return NAMES.flatMap(([macro, words]) => (bounds[macro] === undefined ? [] : [`${words} ${bounds[macro]}`])).join(
    ', ',
  );
}

/** `2 000 000`, or a dash for what has not been counted. */
function shown(number: number | undefined): string {
  return number === undefined ? '–' : String(number).replace(/\B(?=(\d{3})+$)/g, ' ');
}
