import { definePolicy, type PolicyOptions } from '../../packages/core/src/algorithms/named/policy-options.js';
import { emitterOf } from '../../packages/core/src/scripts/emitters.js';
import { OptionReader } from '../../packages/core/src/options/option-reader.js';
import { quotas } from '../../packages/quotas/src/index.js';
import { composeScript, fastPath } from '../../packages/core/src/scripts/compose.js';
import { coveredPlaces } from '../../packages/core/src/scripts/payment.js';
import { withQuotas } from '../../packages/policies/src/document/policy-features.js';

// npm run tool -- script '{ "algorithm": "fixed-window", "limit": 100, "window": "1m" }' ['{ ... }' ...]
// Prints the fast path of the script that Redis runs for tiers of these policies. A tier may have a name, for balances.

const tiers = process.argv.slice(2).map((text, place) => {
  const { name = `tier ${place + 1}`, ...given } = JSON.parse(text) as { readonly name?: string };
  const options = withQuotas(new OptionReader(name, given, Object.keys(given)), given, [quotas]);
  return { name, policy: definePolicy(options as unknown as PolicyOptions) };
});
const policies = tiers.map(({ policy }) => policy);
const covered = coveredPlaces(tiers.map(({ name, policy }) => ({ tier: name, policy })));
const [missing] = policies.filter((policy) => emitterOf(policy) === undefined);
if (policies.length === 0) {
  console.log(`npm run tool -- script '{ "algorithm": "fixed-window", "limit": 100, "window": "1m" }'`);
} else if (missing) {
  console.error(
    `no script is made for this ${missing.algorithm.name}: lua.mjs of its folder lists the emitters that it has`,
  );
  process.exitCode = 1;
} else {
  console.log(fastPath(policies, covered));
  const { source, sha } = composeScript(policies, covered);
  console.log(`\n-- ${sha}: the general path follows, ${source.length} bytes together.`);
}
