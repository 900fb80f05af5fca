import { lineKeys } from '../../../packages/overload/src/line/line-keys.js';
import { policyKeys } from '../../../packages/policies/src/fleet/policy-keys.js';
import { KEY_LOSSES, keyKinds, type KeyKind } from '../../../packages/metrics/src/operations/index.js';
import { markdownTable } from '../markdown-table.js';

const INTRODUCTION = `# Keys in Redis

Every kind of key that Sluice writes. \`npm run reference\` makes this page from the table that \`sluice keys\` and
\`sluice doctor\` read.

A key is a prefix (\`rl\`, or the option \`prefix\`), a colon, and what the table shows. \`<owner>\` is the digest of an
identity in braces: \`{h_tHdlBEhrTvc25VMm8vk-}\`. With \`partition\` it is the digest of the partition in braces, then a
colon and the digest of the identity. \`<shape>\` is the code of an algorithm and a \`<hash>\` of what the state depends on.`;

const LOSSES = `## What a loss costs

Most keys expire, and never before they are worthless. A key that stays has no expiry, because only you can know when it
is worthless: back it up as your other data.`;

/** docs/reference/keys.md. */
export function keysReference(): string {
  const kinds = [...keyKinds, ...lineKeys, ...policyKeys];
  return [
    INTRODUCTION,
    markdownTable(['kind', 'key', 'type', 'expiry', 'loss costs'], kinds.map(rowOf)),
    LOSSES,
    markdownTable(
      ['loss', 'what it costs'],
      Object.entries(KEY_LOSSES).map(([loss, cost]) => [loss, cost]),
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

function rowOf({ name, pattern, type, stays, loss }: KeyKind): string[] {
  return [name, `\`${pattern}\``, type, stays ? 'may stay' : 'expires', loss];
}
