import type { RedisPolicies, Version } from '@sluice/policies';
import type { PolicyDocument } from '@sluice/policies/operations';
import { usage } from '../failure/failure.js';
import { documentOf } from './policies-source.js';

interface KnownVersion extends Version {
  readonly text: string;
  readonly document: PolicyDocument<never>;
}

/** One of the last versions. @throws Failure for another one */
export async function versionIn(policies: RedisPolicies, version: number): Promise<KnownVersion> {
  const [history, text] = await Promise.all([policies.history(), policies.text(version)]);
  const found = history.find((each) => each.version === version);
  if (found === undefined || text === undefined)
    throw usage(`there is no v${version}: sluice policies history lists the last 50`);
  return { ...found, text, document: documentOf(`v${version}`, text) };
}
