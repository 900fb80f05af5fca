import { auditLog } from '@sluice/policies';
import { ACTS, openDesk, prepareActs } from '../acts.js';

// Acts on a client, in a process that is killed at one of its steps: node --import ./test/tools/typescript.mjs <file> <url>

const [, , url = ''] = process.argv;
const desk = openDesk(url);
await prepareActs(desk);

process.on('message', (name: string) => {
  const [, run] = ACTS.find(([operation]) => operation === name)!;
  void run(desk, 'call-1')
    .then(() => auditLog(desk.store).sent())
    .then(() => process.send?.('done'));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
