import { page } from './pages.js';
import { proofPage } from './simulation-results.js';

it('docs/proof.md has what the simulation has found (otherwise run `npm run reference`)', () => {
  expect(page('docs/proof.md').text).toBe(proofPage());
});
