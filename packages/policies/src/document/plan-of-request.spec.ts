import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPolicies } from '../index.js';

interface Subject {
  plan: string;
}

const tiers = ['minute', 'hour', 'day'].map(
  (name, index) =>
    `      - { name: ${name}, key: tenant, limit: { pro: ${index + 2}, otherwise: 1 }, window: ${index + 1}h }\n`,
);

describe('planOfRequest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-plans-'));
  const file = join(folder, 'limits.yaml');
  writeFileSync(file, `version: 1\nlimiters:\n  api:\n    tiers:\n${tiers.join('')}`);

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['in a database', (plan: string) => Promise.resolve(plan)],
    ['in the request', (plan: string) => plan],
  ])('asks once for the plan of a request of three tiers that is %s', async (_where, answer) => {
    let calls = 0;
    const plans = ({ plan }: Subject) => {
      calls += 1;
      return answer(plan);
    };
    const policies = await openPolicies<Subject>(file, { keys: { tenant: () => 'acme' }, plans });
    const limiter = policies.limiter('api');
    const subject = { plan: 'pro' };

    const first = await limiter.consume(subject);
    const afterOne = calls;
    const together = limiter.consume(subject);
    subject.plan = 'free';
    const other = await limiter.consume(subject);
    await together;
    policies.close();

    expect(first.outcomes.map(({ limit }) => limit)).toEqual([4, 3, 2]);
    expect(other.outcomes.map(({ limit }) => limit)).toEqual([1, 1, 1]);
    expect([afterOne, calls]).toEqual([1, 3]);
  });
});
