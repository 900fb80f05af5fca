import { foldReexports } from '../../site/fold-reexports.mjs';

it('names that a package re-exports become one list', () => {
  const text = `## References

### by

Re-exports [by](core.md#by)

***

### byIp

Re-exports [byIp](core.md#byip)

***

### rateLimit

Limits requests.
`;

  expect(foldReexports(text)).toBe(
    '## References\n\n[by](core.md#by), [byIp](core.md#byip)\n### rateLimit\n\nLimits requests.\n',
  );
});
