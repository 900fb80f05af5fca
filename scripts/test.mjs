import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { chromium, chromiumAdvice } from './chromium.mjs';
import { costText } from './cost.mjs';
import { haproxyAdvice, haproxyFolder } from './haproxy.mjs';
import { install } from './install.mjs';
import { goAdvice, goTools, pythonAdvice, pythonTools } from './languages.mjs';
import { nginxAdvice, nginxFolder } from './nginx.mjs';
import { postgresAdvice, postgresFolder } from './postgres.mjs';
import { prometheusAdvice, prometheusFolder } from './prometheus.mjs';
import { redisServer } from './redis-server.mjs';
import { root } from './root.mjs';

/** The objects of a spec live long enough to be copied twice in the space that Node begins with. Workers inherit it. */
const YOUNG = '--max-semi-space-size=64';

const args = process.argv.slice(2);
await install();
const prometheus = prometheusFolder();
const nginx = nginxFolder();
const postgres = postgresFolder();
// Long suites alone need them.
const isNamed = args.some((arg) => !arg.startsWith('-'));
const haproxy = isNamed ? haproxyFolder() : undefined;
const needsLanguages = args.some((arg) => /long|languages/.test(arg));
const python = needsLanguages ? pythonTools() : undefined;
const go = needsLanguages ? goTools() : undefined;
const browser = chromium();
const missing = [
  ...(prometheus ? [] : ['/test/prometheus/']),
  ...(nginx ? [] : ['/test/nginx/']),
  ...(postgres ? [] : ['/test/postgres/']),
  ...(isNamed && !(nginx && haproxy) ? ['/test/proxies/'] : []),
  ...(needsLanguages && !python ? ['/test/languages/python'] : []),
  ...(needsLanguages && !go ? ['/test/languages/go'] : []),
  ...(browser ? [] : ['/test/browser/', '/test/nginx/dashboard']),
];
// Those take minutes, and run where a path names them: npm run test:long.
const long = isNamed ? [] : [String.raw`\.long\.spec\.ts$`];
// Given here, the patterns replace those of the configuration.
const without = ['--testPathIgnorePatterns', '/node_modules/', '/dist/', '/test/site/built-site', ...long, ...missing];
// They measure times, which more of them side by side would change.
const workers = args.some((arg) => arg.includes('.long.')) ? ['--maxWorkers', '2'] : [];
const builds = (await build()) === 0;
const { passed, failed, skipped, code } = builds
  ? await jest([...args, ...workers, ...without])
  : { passed: 0, failed: 1, skipped: 0, code: 1 };

if (!prometheus) console.log(prometheusAdvice);
if (!nginx) console.log(nginxAdvice);
if (!postgres) console.log(postgresAdvice);
if (isNamed && !haproxy) console.log(haproxyAdvice);
if (needsLanguages && !python) console.log(pythonAdvice);
if (needsLanguages && !go) console.log(goAdvice);
if (!browser) console.log(chromiumAdvice);
console.log(costText());
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
const complete = missing.length === 0 || args.length > 0;
process.exitCode = code === 0 && failed === 0 && passed > 0 && complete ? 0 : 1;

/**
 * @param {readonly string[]} options
 * @returns {Promise<{ passed: number, failed: number, skipped: number, code: number }>}
 */
function jest(options) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [YOUNG, join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...options], {
      cwd: root,
      env: {
        ...process.env,
        SLUICE_REDIS_SERVER: redisServer(),
        // Specs that start programs need not look again at all sources, which no run changes unless it watches them.
        ...(!options.some((option) => option.startsWith('--watch')) && { SLUICE_BUILT: '1' }),
        ...(prometheus && { SLUICE_PROMETHEUS: prometheus }),
        ...(nginx && { SLUICE_NGINX: nginx }),
        ...(postgres && { SLUICE_POSTGRES: postgres }),
        ...(haproxy && { SLUICE_HAPROXY: haproxy }),
        ...(python && { SLUICE_PYTHON: python.python }),
        ...(go && { SLUICE_GO: go.go }),
        ...(browser && { SLUICE_CHROMIUM: browser }),
      },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    // They stay as they are when jest ends before it has run anything.
    let counts = { passed: 0, failed: 1, skipped: 0 };
    child.on('message', (message) => (counts = /** @type {typeof counts} */ (message)));
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ ...counts, code: exitCode ?? 1 }));
  });
}
