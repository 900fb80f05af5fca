/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const dashboard = [
  {
    name: 'a page of another site may forget a client',
    file: 'packages/dashboard/src/dashboard.ts',
    text: 'if (!isSameOrigin(request)) throw',
    replacement: 'if (!isSameOrigin(request) && false) throw',
    specs: ['test/dashboard/routes.spec.ts'],
  },
  {
    name: 'a read-only dashboard forgets',
    file: 'packages/dashboard/src/dashboard.ts',
    text: 'if (this.#readOnly) throw',
    replacement: 'if (this.#readOnly && false) throw',
    specs: ['test/dashboard/routes.spec.ts'],
  },
  {
    name: 'a client behind a proxy counts as local',
    file: 'packages/dashboard/src/access.ts',
    text: 'FORWARDING.every((each) => headers[each] === undefined)',
    replacement: 'true',
    specs: ['packages/dashboard/src/access.spec.ts'],
  },
  {
    name: 'a page of another site reads the dashboard by a name that leads to this machine',
    file: 'packages/dashboard/src/access.ts',
    text: 'LOCAL_NAME.test(String(name)) &&',
    replacement: '',
    specs: ['packages/dashboard/src/access.spec.ts'],
  },
  {
    name: 'events pile up for a page that reads slowly',
    file: 'packages/dashboard/src/event-streams.ts',
    text: 'if (response.writableLength <= MAX_UNSENT) response.write(text);',
    replacement: 'response.write(text);',
    specs: ['test/dashboard/streams.spec.ts'],
  },
  {
    name: 'a total falls when a process of the fleet is forgotten',
    file: 'packages/dashboard/src/other-processes.ts',
    text: 'this.#forgotten = merged(this.#forgotten, counted);',
    replacement: '',
    specs: ['packages/dashboard/src/other-processes.spec.ts'],
  },
  {
    name: 'a dashboard counts the decisions of other stores',
    file: 'packages/core/src/operations/decisions-of.ts',
    text: 'return isOurs;',
    replacement: 'return true;',
    specs: ['packages/core/src/operations/decisions-of.spec.ts'],
  },
  {
    name: 'the dashboard names a moment that is too early',
    file: 'packages/dashboard/src/identity-desk.ts',
    text: 'Math.ceil(fitsAt - readAt)',
    replacement: 'Math.ceil(fitsAt - readAt) - 1',
    specs: ['packages/dashboard/src/identity-desk.spec.ts'],
  },
];
