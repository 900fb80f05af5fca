import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install } from './install.mjs';
import { redisServer } from './redis-server.mjs';
import { root } from './root.mjs';

// Runs a command of test/tools, which are TypeScript: node scripts/command.mjs twin [arguments]
const [name, ...args] = process.argv.slice(2);
await install();
const { status } = spawnSync(
  process.execPath,
  ['--import', './test/tools/typescript.mjs', join('test', 'tools', `${name}.ts`), ...args],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SLUICE_REDIS_SERVER: redisServer() } },
);
process.exitCode = status ?? 1;
