import { Registry, Counter } from 'prom-client';
import { siteOpener } from '../support/site.js';
import { startPrometheus } from './prometheus-server.js';
import { promtool } from './promtool.js';

describe('startPrometheus', () => {
  const open = siteOpener();

  it('has what a page shows when it has been scraped, by the name of the job', async () => {
    const registry = new Registry();
    const visits = new Counter({ name: 'visits_total', help: 'Visits', registers: [registry] });
    const { port } = await open((_request, response) => void registry.metrics().then((page) => response.end(page)));
    const server = await startPrometheus({ shop: port });

    visits.inc(7);
    await server.scraped();
    const samples = await server.query('visits_total');
    await server.stop();

    expect(samples).toEqual([{ labels: expect.objectContaining({ job: 'shop' }), value: 7 }]);
  });
});

describe('promtool', () => {
  it('reports a counter without a suffix', () => {
    const page = '# HELP visits Visits\n# TYPE visits counter\nvisits 7\n';

    expect(promtool(['check', 'metrics'], page)).toEqual({
      code: 3,
      text: expect.stringContaining('counter metrics should have "_total" suffix'),
    });
  });
});
