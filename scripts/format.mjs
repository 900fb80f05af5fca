import { install } from './install.mjs';
import { runTool } from './run.mjs';

await install();
process.exitCode = await runTool('oxfmt', []);
