/** SLUICE_SEEDS=random, as npm run tool -- laws sets it: others in each run. Else a spec that fails, fails by what has changed. */
export const areRandom = process.env['SLUICE_SEEDS'] === 'random';

/** One more seed for a property that has fixed ones. */
export function oneMoreSeed(): number {
  return areRandom ? Math.floor(Math.random() * 2 ** 48) : 271_828_182_845;
}
