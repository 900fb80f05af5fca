import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/**
 * The product files, without comments and without what is generated. The simulation of workers compares lines with other ways to
 * wait, and is about them, and policies have one that reads it in a file.
 */
const files = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .map((file) => `packages/${file}`)
  .filter((file) => /^packages[/][\w-]+[/]src[/].*[.](ts|mjs|lua)$/.test(file) && !file.endsWith('.spec.ts'))
  .filter((file) => !/^packages[/](cli[/]src[/]simulate|overload[/]src)[/]|[/]read-line[.]ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  .filter(({ text }) => !text.startsWith('// Generated'))
  .map(({ file, text }) => ({ file, code: text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1') }));

/** What a denied request is told and given, the value of the option, and its keys and header. */
const LINE =
  /\bfitsAfter\b|fits-after|sluice-place|overload\/line|\/line\/|\blineKeys [}]|(name|option): 'line'|'line'\]|\bplace \}\) => place|(denied|facts|options)\??\.place\b/;

/** What changes a balance beside requests, what it tells, what bills are made of, and who has changed what. */
const MONEY =
  /\b(credit(Act|ed|edBy|ing|State)?|[Dd]ebit\w*|[Rr]econcil\w+|(on)?[Ll]owBalance\w*|[Pp]osting\w*|billing|AuditEvent|auditLog|reportAct|storeActs|audit)\b|facts\?*\.ended/;

describe('A line of workers', () => {
  it('is named in at most eight files outside of its package', () => {
    const places = files.filter(({ code }) => LINE.test(code)).map(({ file }) => file);

    expect(places).toContain('packages/core/src/options/imported-value.ts');
    expect(places.length > 8 ? places : []).toEqual([]);
  });
});

describe('Credits, bills and the audit', () => {
  it('are named in at most eight files outside of their packages', () => {
    const others = files.filter(({ file }) => !/^packages[/](quotas|policies|dashboard)[/]/.test(file));
    const places = others.filter(({ code }) => MONEY.test(code)).map(({ file }) => file);

    expect(places).toContain('packages/core/src/events/report-act.ts');
    expect(places.length > 8 ? places : []).toEqual([]);
  });
});

/** What other programs read of a file of policies, and charges that another process corrects. */
const SERVICE = /\bserver\/src\b|@sluice\/server\b|\bextensionsIn\b|\bwithBroughtKeys\b|\bCarriedC\w+/;

describe('The service', () => {
  it('is named in at most six files outside of its package', () => {
    const places = files
      .filter(({ file, code }) => !file.startsWith('packages/server/') && SERVICE.test(code))
      .map(({ file }) => file);

    expect(places).toContain('packages/policies/src/document/read-extensions.ts');
    expect(places.length > 6 ? places : []).toEqual([]);
  });
});
