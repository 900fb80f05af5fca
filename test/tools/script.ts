import { definePolicy, type PolicyOptions } from '../../packages/core/src/algorithms/policy-options.js';
import { emitterOf } from '../../packages/core/src/algorithms/emitters.js';
import { composeScript, fastPath } from '../../packages/core/src/stores/redis/lua/compose.js';

// npm run script -- '{ "algorithm": "fixed-window", "limit": 100, "window": "1m" }' ['{ ... }' ...]
// Prints the fast path of the script that Redis runs for tiers of these policies.

const policies = process.argv.slice(2).map((text) => definePolicy(JSON.parse(text) as PolicyOptions));
const [missing] = policies.filter((policy) => emitterOf(policy) === undefined);
if (policies.length === 0) {
  console.log(`npm run script -- '{ "algorithm": "fixed-window", "limit": 100, "window": "1m" }'`);
} else if (missing) {
  console.error(`no script is made for this ${missing.algorithm}: stores/redis/lua/manifest.mjs lists those it has`);
  process.exitCode = 1;
} else {
  console.log(fastPath(policies));
  const { source, sha } = composeScript(policies);
  console.log(`\n-- ${sha}: the general path follows, ${source.length} bytes together.`);
}
