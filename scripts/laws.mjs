// npm run tool -- laws [RUNS]: each law over each kind of tier, with as many random histories as RUNS. npm test takes 1.
// And 20 times as many limiters that mix features, as many bills on each store, and 200 times as many pairs of policy files.
// And all logs of each population that replay is tried on, of which npm test takes one.
const laws = ['laws', 'mix', 'bills/bills', 'policy-changes'].map((name) => `test/laws/${name}.spec.ts`);
const specs = [...laws, 'test/cli/replay/laws.spec.ts'];
const [runs = '50'] = process.argv.splice(2, 1, ...specs);
process.env['SLUICE_LAW_RUNS'] = runs;
process.env['SLUICE_SEEDS'] = 'random';
await import('./test.mjs');
