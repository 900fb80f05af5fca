import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install } from './install.mjs';
import { redisServer } from './redis-server.mjs';
import { root } from './root.mjs';

// npm run tool -- tricks [arguments]: measures mechanisms that exist for speed alone, on and off in one run.
await install();
const { status } = spawnSync(
  process.execPath,
  [
    '--expose-gc',
    '--import',
    './test/tools/typescript.mjs',
    join('bench', 'src', 'tricks', 'main.ts'),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SLUICE_REDIS_SERVER: redisServer() } },
);
process.exitCode = status ?? 1;
