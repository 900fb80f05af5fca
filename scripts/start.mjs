import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
const code = await build();
if (code !== 0) process.exit(code);

// In this process, so that signals and the exit code are the example's own.
await import('../examples/quickstart/main.js');
