import type { FleetOverride } from './fleet/fleet-state.js';

/** What operators have set, beside what the file has. */
export interface OverrideSource {
  overrides(): readonly FleetOverride[];
  /** @param field `fieldOf` of an override */
  overrideOf(field: string): FleetOverride | undefined;
}

export const noOverrides: OverrideSource = { overrides: () => [], overrideOf: () => undefined };
