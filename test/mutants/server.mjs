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
    text: 'given.length === expected.length && timingSafeEqual(given, expected)',
    replacement: 'given.length === expected.length',
    specs: ['test/server/receipts.spec.ts'],
  },
  {
    name: 'a round of descriptors stays charged when a later one denies',
    file: `${SERVER}deciding/service.ts`,
    text: 'if (!isAdmitted) await Promise.all(answered.map(({ answer }) => takeBack(served, answer)));',
    replacement: '',
    specs: ['test/server/protocol.spec.ts'],
  },
  {
    name: 'a value that a client chooses fails the call, upon which Envoy lets the request pass',
    file: `${SERVER}grpc/rate-limit-request.ts`,
    text: 'value = reader.anyText()',
    replacement: 'value = reader.text()',
    specs: ['test/server/client-values.spec.ts'],
  },
  {
    name: 'an identity of no text is one of its own in the service',
    file: `${SERVER}rules/server-extension.ts`,
    text: 'return isReadable(identity) ? identity : otherwise(request);',
    replacement: 'return identity;',
    specs: ['test/server/client-values.spec.ts'],
  },
  {
    name: 'the limit of a descriptor wins over that of an operator',
    file: `${SERVER}deciding/tier-decider.ts`,
    text: 'limit === undefined || isOverridden',
    replacement: 'limit === undefined',
    specs: ['test/server/semantics.spec.ts'],
  },
  {
    name: 'the service takes a receipt of another prefix',
    file: `${SERVER}receipts/receipt.ts`,
    text: "JSON.stringify(['sluice.receipt.2', prefix])",
    replacement: "JSON.stringify(['sluice.receipt.2'])",
    specs: ['test/server/receipts.spec.ts'],
  },
  {
    name: 'a peek of the service waits as its request would',
    file: `${SERVER}deciding/served-limiter.ts`,
    text: 'return ServedRequest.questionOf(request).isPeek ? chain(decided, withoutDelay) : decided;',
    replacement: 'return decided;',
    specs: ['test/server/checks.spec.ts'],
  },
  {
    name: 'an empty array of tokens admits everybody',
    file: `${SERVER}serve-options.ts`,
    text: 'tokens.length > 0 &&',
    replacement: '',
    specs: ['test/server/operations.spec.ts'],
  },
  {
    name: 'the service reads units that come back as a charge',
    file: `${SERVER}grpc/rate-limit-request.ts`,
    text: 'else if (reader.field === 4 && reader.unsigned64() > 0) throw',
    replacement: 'else if (reader.field === 4 && reader.unsigned64() > 1) throw',
    specs: ['test/server/protocol.spec.ts'],
  },
  {
    name: 'a connection keeps any number of unfinished messages',
    file: `${SERVER}grpc/grpc-connection.ts`,
    text: 'if (this.#kept <= this.#mostBytes) return undefined;',
    replacement: 'if (this.#kept >= 0) return undefined;',
    specs: ['test/server/calls.spec.ts'],
  },
  {
    name: 'a call whose deadline has passed keeps its place in a queue',
    file: `${SERVER}grpc/grpc-call.ts`,
    text: 'clearTimeout(this.#alarm);\n    if (hasMessage)',
    replacement: 'clearTimeout(this.#alarm);\n    this.#onGone = undefined;\n    if (hasMessage)',
    specs: ['test/server/gone-clients.spec.ts'],
  },
];
