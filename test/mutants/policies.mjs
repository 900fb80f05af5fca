/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const policies = [
  {
    name: 'a plan that the file does not have is unlimited',
    file: 'packages/policies/src/document/limit-value.ts',
    text: 'byPlan.get(plan)! : units.otherwise',
    replacement: 'byPlan.get(plan)! : null',
    specs: ['packages/policies/src/document/read-document.spec.ts'],
  },
  {
    name: 'limiters change although one of them refuses the file',
    file: 'packages/policies/src/live-limiters.ts',
    text: 'return limiter.prepare(watch.watched(tiers, document.routes.get(name)));',
    replacement:
      'limiter.prepare(watch.watched(tiers, document.routes.get(name))).commit();\n        return { commit() {} };',
    specs: ['packages/policies/src/open-policies.spec.ts'],
  },
  {
    name: 'a file that is half written is read',
    file: 'packages/policies/src/file/watched-file.ts',
    text: 'if (again === text) {',
    replacement: 'if (again !== undefined) {\n        this.#last = text;\n        return text;',
    specs: ['packages/policies/src/open-policies.spec.ts'],
  },
  {
    name: 'the second of two authors overwrites the first',
    file: 'packages/policies/src/fleet/scripts.ts',
    text: 'if version ~= ARGV[1] then',
    replacement: "if version == '-' then",
    specs: ['test/policies/fleet.spec.ts'],
  },
  {
    name: 'processes do not write back what Redis has lost',
    file: 'packages/policies/src/fleet/fleet-follower.ts',
    text: 'await this.#redis.restore(lost);',
    replacement: '',
    specs: ['test/policies/fleet.spec.ts'],
  },
  {
    name: 'a version that a failover loses stays in force in one process of an older release alone',
    file: 'packages/policies/src/fleet/fleet-follower.ts',
    text: 'const lost = restoration ?? (older && this.#memory.restorationOf(news, older));',
    replacement: 'const lost = restoration;',
    specs: ['test/policies/fleet-losses.spec.ts'],
  },
  {
    name: 'a lost version is not written back whose number was given again',
    file: 'packages/policies/src/fleet/scripts.ts',
    text: "local name = string.match(ARGV[index], '^%d+ %d+ %w+ ')",
    replacement: "local name = string.match(ARGV[index], '^%d+ ')",
    specs: ['test/policies/fleet-losses.spec.ts'],
  },
  {
    name: 'diff says that counts of another shape are kept',
    file: 'packages/policies/src/operations/changes.ts',
    text: 'if (before.end !== after.end) return',
    replacement: 'if (before.isBalance !== after.isBalance) return',
    specs: ['packages/policies/src/operations/changes.spec.ts'],
  },
  {
    name: 'a star at the end of a route takes one segment',
    file: 'packages/policies/src/document/routes.ts',
    text: "'(?:/.*)?'",
    replacement: "'(?:/[^/]*)?'",
    specs: ['packages/policies/src/document/routes.spec.ts'],
  },
];
