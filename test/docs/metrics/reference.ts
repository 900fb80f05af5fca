import { attributes, instruments, prometheusName, type Instrument } from '../../../packages/metrics/src/index.js';
import { measuredFeatures } from '../../monitoring/features/features.js';
import type { AttributeDefinition } from '../../../packages/core/src/measures/measures.js';
import { markdownTable } from '../markdown-table.js';

const INTRODUCTION = `# Metrics

Every number that \`@sluice/prometheus\` and \`@sluice/opentelemetry\` expose. \`npm run reference\` makes this page.

\`\`\`sh
npm install @sluice/prometheus prom-client # or: npm install @sluice/opentelemetry @opentelemetry/api@1.9
\`\`\`

- \`exposeMetrics(register, { stores: { main: store } })\` returns a function that removes the metrics and stops counting.
- Counters begin at 0 before their first event, so that \`increase()\` misses none.
- No metric has an identity, a digest, an address of a client, a route or a text of an error.
- A process has at most 80 series, 10 for each tier, 4 for each list of addresses, 5 for policies, 7 for each queue, 4
  for each line, and one for each bucket of a histogram. Clients cannot add any.

## Options

| option     | default | meaning                                                                                               |
| ---------- | ------- | ----------------------------------------------------------------------------------------------------- |
| \`stores\`   | none    | stores by name: \`{ main: store }\`; shows their tiers before the first request, keys and breakers      |
| \`near\`     | 0.8     | the part of a limit from which an allowed outcome is \`near\`                                           |
| \`top\`      | 0       | ranks in \`sluice.top.share\`, up to 100; a denial then costs a microsecond more                        |
| \`watch\`    | none    | up to 50 of \`{ name, limiter, identity }\`, with \`tiers\`, \`partition\`, \`limit\`: inspected when scraped |
| \`policies\` | none    | policies by name: \`{ limits: policies }\`; shows version, age and overrides                            |

A limiter instead of its store, and a store without a name, are \`OPTION_INVALID\`.`;

const INSTRUMENTS = `## Instruments

\`max\`: of several processes take the highest number; the other numbers add up.`;

const OPEN_TELEMETRY = `## OpenTelemetry

\`\`\`js
import { startMetrics } from '@sluice/opentelemetry';

sdk.start(); // first: the API drops metrics until its SDK has started
const stop = startMetrics({ stores: { main: store } });
\`\`\`

- It takes the same options, and uses the global meter provider. Install the minor version of \`@opentelemetry/api\` that
  your SDK uses: [traces](../guide/traces.md).
- The exporter for Prometheus of the JavaScript SDK writes [no units](../guide/observability.md#opentelemetry).`;

/** docs/reference/metrics.md. */
export function metricsReference(): string {
  const own: readonly Instrument[] = instruments;
  const all = [...own, ...measuredFeatures.flatMap(({ measures }) => measures.instruments)];
  const features = measuredFeatures.map(({ measures }) => measures);
  const definitions: Readonly<Record<string, AttributeDefinition>> = Object.assign(
    {},
    ...features.map((each) => each.attributes),
    attributes,
  );
  const used = Object.entries(definitions);
  return [
    INTRODUCTION,
    OPEN_TELEMETRY,
    INSTRUMENTS,
    tableOf(own),
    ...measuredFeatures.flatMap(({ title, from, measures }) => [
      `### ${title}`,
      `A process has these from its first ${from} on.`,
      tableOf(measures.instruments),
    ]),
    '## Attributes',
    'Prometheus writes `_` for each dot: `sluice_tier`.',
    markdownTable(
      ['attribute', 'meaning', 'values'],
      used.map(([name, { description, values = [] }]) => [code(name), description, values.map(code).join(', ')]),
    ),
    '## Buckets',
    ...all.flatMap(({ name, buckets }) => (buckets ? [`${code(name)}: ${buckets.join(', ')}`] : [])),
  ]
    .join('\n\n')
    .concat('\n');
}

function tableOf(rows: readonly Instrument[]): string {
  return markdownTable(['OpenTelemetry, Prometheus', 'kind, unit', 'attributes', 'what it counts'], rows.map(rowOf));
}

function rowOf(instrument: Instrument): string[] {
  const { name, kind, unit, attributes: names, description, option, across } = instrument;
  const notes = [option && `option \`${option}\``, across && '`max`'].filter(Boolean);
  return [
    `${code(name)}<br>${code(prometheusName(instrument))}`,
    `${kind}, ${code(unit)}`,
    names.map(code).join('<br>'),
    notes.length > 0 ? `${description} (${notes.join(', ')})` : description,
  ];
}

function code(text: string): string {
  return `\`${text}\``;
}
