/** @import { Mutant } from './mutants.mjs' */

const SERVER = 'packages/server/src/';

/** @type {readonly Mutant[]} */
export const server = [
  {
    name: 'the service gives a receipt back twice',
    file: `${SERVER}receipts/receipt-desk.ts`,
    text: 'return (await this.#spend(receipt)) ? corrections.refund(charges, units) : 0;',
    replacement: 'return corrections.refund(charges, units);',
    specs: ['test/server/receipts.spec.ts'],
  },
  {
    name: 'the service takes a receipt that was changed',
    file: `${SERVER}receipts/receipt.ts`,
    text: 'given.length !== expected.length || !timingSafeEqual(given, expected)',
    replacement: 'given.length !== expected.length',
    specs: ['test/server/receipts.spec.ts'],
  },
  {
    name: 'a round of descriptors stays charged when a later one denies',
    file: `${SERVER}deciding/service.ts`,
    text: 'if (!isAdmitted) await Promise.all(answered.map(({ answer }) => takeBack(served, answer)));',
    replacement: '',
    specs: ['test/server/protocol.spec.ts'],
  },
];
