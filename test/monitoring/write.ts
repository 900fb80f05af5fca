import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/root.mjs';
import { monitoringFiles } from './files.js';
import { defaults, type Settings } from './settings.js';

// npm run tool -- monitoring [--names otel-js --out FOLDER]
const { names, out } = parseArgs({ options: { names: { type: 'string' }, out: { type: 'string' } } }).values;
const folder = out ?? join(root, 'monitoring');
mkdirSync(folder, { recursive: true });
const settings = names === undefined ? defaults : { ...defaults, names: names as Settings['names'] };
for (const [name, text] of Object.entries(monitoringFiles(settings))) writeFileSync(join(folder, name), text);
