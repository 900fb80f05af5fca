import { UsageError, type Key, type KeyFunction } from '@sluice/core';
import { byIp, type HttpRequest } from '@sluice/http';
import type { PolicyExtension } from './extension-part.js';
import type { Facts } from './facts.js';
import { readRules } from './read-rules.js';
import type { Rules } from './rule.js';

/** Characters of each part, as of the identities of the middleware. */
const MAX_IDENTITY = 512;

/**
 * What the service reads of a file of policies: the rules for descriptors, and identities that requests bring by the names
 * of keys.
 *
 * @param putInForce gets the rules in the turn in which the limits of their file come in force
 * @example openPolicies('limits.yaml', { features: [serverExtension((rules) => (current = rules))] })
 */
export function serverExtension(putInForce: (rules: Rules) => void): PolicyExtension {
  return {
    extension: 'server',
    keyOf: (name, part) => (identitiesIn(part).includes(name) ? broughtKey(name) : undefined),
    keyRemedy: (name, part) => {
      const names = [...identitiesIn(part), name].join(', ');
      return `for an identity that requests bring, write extensions: { server: { identities: [${names}] } }`;
    },
    read(part) {
      const rules = readRules(part);
      return () => putInForce(rules);
    },
  };
}

/** The names of identities in a part of which nothing is checked yet. */
function identitiesIn(part: unknown): readonly unknown[] {
  const { identities } = Object(part) as { readonly identities?: unknown };
  return Array.isArray(identities) ? identities : [];
}

/**
 * The identity that a request brings under a name. Its program has found it, as the function of an application would. One
 * that cannot be read counts for the address, as in the middleware.
 */
function broughtKey(name: string): KeyFunction<never> {
  const otherwise = byIp<Facts & HttpRequest>();
  return (request: Facts & HttpRequest) => {
    const { identities } = request;
    const identity = identities !== undefined && Object.hasOwn(identities, name) ? identities[name] : undefined;
    if (identity === undefined)
      throw new UsageError('USAGE_INVALID', `identities.${name} is missing: a tier counts by ${name}`);
    return isReadable(identity) ? identity : otherwise(request);
  };
}

function isReadable(identity: Key): boolean {
  const parts = typeof identity === 'object' ? identity.parts : [String(identity)];
  return parts.every((part) => part.length >= 1 && part.length <= MAX_IDENTITY);
}
