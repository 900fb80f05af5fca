/** A file of policies with one limiter of one tier. */
export function textOf(limit: number | string, window = '1h'): string {
  return `version: 1\nlimiters:\n  api:\n    tiers:\n      - { name: hour, key: tenant, limit: ${limit}, window: ${window} }\n`;
}
