import { createRequire } from 'node:module';
import { startChild } from '../../bench/src/processes/child.js';
import { allowedCores, coresOf } from '../../bench/src/processes/cores.js';
import { serve } from '../../bench/src/processes/serve.js';

/** What a process of the benchmark finds about itself. */
const verbs = {
  look() {
    const { cache, resolve } = createRequire(import.meta.url);
    // It was preloaded, or nothing is there.
    const kept = cache[resolve('../../bench/src/processes/tick-shape.cjs')]?.exports as readonly object[] | undefined;
    return { cores: allowedCores(), kept: kept?.length };
  },
};

if (process.send) serve(verbs);
else {
  const cores = coresOf()?.contestants;
  const child = startChild<typeof verbs>(new URL(import.meta.url), { cores });
  console.log(JSON.stringify({ assigned: cores ?? allowedCores(), ...(await child.call.look()) }));
  await child.end();
}
