import { instruments } from '../../packages/metrics/src/index.js';
import { dashboardOf } from './dashboard.js';
import { measuredFeatures } from './features/features.js';
import { anyNamesOf, defaults } from './settings.js';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

const dashboard = dashboardOf(defaults);
const all = dashboard.panels as unknown as readonly Panel[];
const panels = all.filter(({ type }) => type !== 'row');
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe('The dashboard', () => {
  it('has its rows, and cannot be edited in place', () => {
    expect(all.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'Now',
      'Tiers',
      'Redis',
      'Process',
    ]);
    expect(dashboard.editable).toBe(false);
  });

  it('lets one choose the data source, jobs, instances and tiers, all of them at first', () => {
    const variables = dashboard.templating.list!;

    expect(variables.map(({ name, label }) => [name, label])).toEqual([
      ['datasource', 'Data source'],
      ['job', 'Job'],
      ['instance', 'Instance'],
      ['tier', 'Tier'],
    ]);
    for (const variable of variables.slice(1)) {
      const { datasource, multi, includeAll, allValue, refresh } = variable;
      expect([datasource?.uid, multi, includeAll, allValue, refresh]).toEqual(['${datasource}', true, true, '.+', 2]);
    }
  });

  it.each(panels.map((panel) => [panel.title, panel] as const))('describes %s, with a unit', (_title, panel) => {
    const sources = [panel.datasource, ...panel.targets.map(({ datasource }) => datasource)];

    expect(panel.description).toMatch(/^[A-Z].+\.$/);
    expect(['short', 'reqps', 'ops', 's', 'percentunit', 'bytes']).toContain(panel.fieldConfig.defaults.unit);
    expect(new Set(sources.map((source) => source?.uid))).toEqual(new Set(['${datasource}']));
  });

  it.each(expressions)('asks for the chosen jobs and instances, and for rates of counters: %s', (expression) => {
    const selectors = [...expression.matchAll(/(\w*)\(((?:sluice|process)_\w+)\{([^}]*)\}(\[[^\]]*\])?/g)];

    expect(expression.match(/(?:sluice|process)_\w+\{/g)).toHaveLength(
      expression.match(/\{job=~"\$job", instance=~"\$instance"/g)!.length,
    );
    for (const [, call, metric, , range] of selectors) {
      const counts = /_(total|bucket|sum|count)$/.test(metric!);
      expect([counts, range]).toEqual(/rate|increase/.test(call!) ? [true, '[$__rate_interval]'] : [false, undefined]);
    }
  });

  it('shows each instrument', () => {
    const name = anyNamesOf(defaults);
    const ofFeatures = measuredFeatures.flatMap(({ measures }) => measures.instruments);
    const names = [...instruments, ...ofFeatures].map((each): string => each.name);

    expect(names.filter((each) => !expressions.some((text) => text.includes(name(each))))).toEqual([]);
  });

  it('gives each panel a number and a place of its own', () => {
    const cells = all.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );

    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...all.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });
});
