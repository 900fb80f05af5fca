/** Other tiers of a limiter, which were checked and are not in force yet. */
export interface PreparedTiers {
  /**
   * Puts them in force, between two checks.
   *
   * @throws ConfigError TIER_NAME_TAKEN when another limiter has taken a name since they were prepared
   */
  commit(): void;
}
