import { redisPolicies } from '@sluice/policies';
import { countOf } from '../terminal/figures.js';
import type { ConfiguredSource } from '../clients/limiters.js';

/**
 * What an operator has to know of overrides that were changed a moment ago: this command has them, and processes take them
 * within six seconds. Undefined if all have them.
 */
export async function youngOverrides({ store }: ConfiguredSource): Promise<string | undefined> {
  const policies = redisPolicies(store);
  const processes = await policies.processes();
  if (processes.length === 0) return undefined;
  const changes = await policies.changes();
  const behind = processes.filter((each) => each.changes < changes).length;
  if (behind === 0) return undefined;
  const verb = behind === 1 ? 'has' : 'have';
  return `in force in up to 6 s: ${behind} of ${countOf(processes.length, 'process', 'processes')} ${verb} older overrides`;
}
