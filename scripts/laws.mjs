// npm run laws [-- RUNS]: each law over each kind of tier, with as many random histories as RUNS. npm test takes 1.
// And 20 times as many limiters that mix features.
const [runs = '50'] = process.argv.splice(2, 1, 'test/laws/laws.spec.ts', 'test/laws/mix.spec.ts');
process.env['SLUICE_LAW_RUNS'] = runs;
process.env['SLUICE_SEEDS'] = 'random';
await import('./test.mjs');
