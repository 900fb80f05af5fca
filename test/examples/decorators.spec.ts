import type { Example } from './examples.js';
import { withProcesses } from './example-process.js';

const example: Example = { name: 'decorators', main: 'decorators/dist/main.js' };

describe.each(['memory', 'Redis'])('The example decorators, counting in %s', (place) => {
  const { processes, redis } = withProcesses();

  it('limits each method separately and keeps its `this`', async () => {
    const started = await processes.start(example, place === 'Redis' ? { REDIS_URL: redis().url } : {});
    const add = () =>
      fetch(`${started.url}/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"note":"Buy tea"}',
      });

    const statuses = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await add()).status);
    const list = await fetch(`${started.url}/notes`);

    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    expect(await list.json()).toEqual(Array.from({ length: 5 }, () => 'Buy tea'));
    expect(list.headers.get('x-ratelimit-remaining')).toBe('99');
    expect(await started.stop('SIGINT')).toBe(0);
    expect(started.errors()).toBe('');
  });
});
