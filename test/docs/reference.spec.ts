import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { algorithms } from '../../packages/core/src/algorithms/named/algorithms.js';
import { headerFormats } from '../../packages/http/src/headers/header-formats.js';
import { TIER_ROWS } from '../../packages/core/src/limiter/tiers/tier-rows.js';
import { publishedPackages } from '../../scripts/workspace.mjs';
import { INHERITED_OPTIONS } from '../../packages/http/src/gate/inherited-options.js';
import { exportsOf, membersOf, sourceOf } from './declarations.js';
import { page, sectionOf } from './pages.js';

describe('The reference', () => {
  it.each(codes())('explains the error code %s', (code) => {
    expect(page('docs/reference/errors.md').text).toContain(`\n## ${code}\n`);
  });

  it.each(algorithms().map(({ name, options }) => [name, Object.keys(options)] as const))(
    'has each option of %s',
    (name, options) => {
      const section = sectionOf(page('docs/reference/tiers.md').text, name);

      expect(options.filter((option) => !section.includes(`\`${option}\``))).toEqual([]);
    },
  );

  it('has each option of a tier', () => {
    const { text } = page('docs/reference/tiers.md');

    expect(Object.keys(TIER_ROWS).filter((option) => !text.includes(`### ${option}\n`))).toEqual([]);
  });

  it('has every header format', () => {
    const pagesOfHeaders = ['docs/guide/headers.md', 'docs/reference/express.md'].map((path) => page(path).text);

    expect(Object.keys(headerFormats).filter((name) => !pagesOfHeaders.every((text) => text.includes(name)))).toEqual(
      [],
    );
  });

  it('has a section for each warning, and no other', () => {
    const { text } = page('docs/reference/warnings.md');

    const sections = [...text.matchAll(/^## (\w+)$/gm)].map(([, code]) => code!);

    expect(sections.toSorted()).toEqual(warnings());
  });

  it.each(['express', 'fastify', 'hono', 'nestjs'])('has each export of @sluice/%s, also types', (adapter) => {
    // The reference of Express has what all adapters export.
    const texts = [adapter, 'express', 'identities', 'errors'].map((name) => page(`docs/reference/${name}.md`).text);

    const exported = exportsOf(`../../${adapter}/src/index.ts`);

    expect(exported.length).toBeGreaterThan(30);
    expect(exported.filter((name) => !texts.some((text) => new RegExp(`\`@?${name}\\b`).test(text)))).toEqual([]);
  });

  it('has each export of @sluice/http/adapter', () => {
    const { text } = page('docs/reference/gate.md');

    const exported = exportsOf('../../http/src/adapter/index.ts');

    expect(exported.length).toBeGreaterThan(10);
    expect(exported.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it.each([
    ['fastify', INHERITED_OPTIONS],
    // Nest has exceptions instead of `onDenied`.
    ['nestjs', INHERITED_OPTIONS.filter((name) => name !== 'onDenied')],
  ])('lists each inherited option of @sluice/%s', (adapter, inherited) => {
    const section = sectionOf(page(`docs/reference/${adapter}.md`).text, 'What is inherited');

    expect(inherited.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });

  it.each([
    ['docs/reference/express.md', '../../http/src/gate/gate-options.ts', 'GateOptions'],
    ['docs/reference/express.md', 'limiter/limiter-options.ts', 'SharedLimiterOptions'],
    ['docs/reference/express.md', '../../express/src/rate-limit.ts', 'RateLimitHandler'],
    ['docs/reference/fastify.md', '../../http/src/gate/gate-options.ts', 'GateOptions'],
    ['docs/reference/fastify.md', 'limiter/limiter-options.ts', 'SharedLimiterOptions'],
    ['docs/reference/fastify.md', '../../fastify/src/rate-limit.ts', 'ScopeOptions'],
    ['docs/reference/fastify.md', '../../fastify/src/route-limits.ts', 'RouteRateLimit'],
    ['docs/reference/fastify.md', '../../fastify/src/rate-limit-hook.ts', 'RateLimitHook'],
    ['docs/reference/hono.md', '../../http/src/gate/gate-options.ts', 'GateOptions'],
    ['docs/reference/hono.md', 'limiter/limiter-options.ts', 'SharedLimiterOptions'],
    ['docs/reference/hono.md', '../../hono/src/client-address.ts', 'AddressOptions'],
    ['docs/reference/hono.md', '../../hono/src/rate-limit.ts', 'RateLimitHandler'],
    ['docs/reference/gate.md', '../../http/src/web/web-gate.ts', 'WebGate'],
    ['docs/reference/gate.md', '../../http/src/web/web-admission.ts', 'WebAdmitted'],
    ['docs/reference/gate.md', '../../http/src/web/web-admission.ts', 'WebDenial'],
    ['docs/reference/gate.md', '../../http/src/web/web-request.ts', 'WebClient'],
    ['docs/reference/nestjs.md', '../../http/src/gate/gate-options.ts', 'GateOptions'],
    ['docs/reference/nestjs.md', 'limiter/limiter-options.ts', 'SharedLimiterOptions'],
    ['docs/reference/nestjs.md', '../../nestjs/src/limits/options.ts', 'RateLimitOptions'],
    ['docs/reference/nestjs.md', '../../nestjs/src/limits/options.ts', 'RateLimitModuleOptions'],
    ['docs/reference/nestjs.md', '../../nestjs/src/rate-limit.module.ts', 'RateLimitModuleAsyncOptions'],
    ['docs/reference/nestjs.md', '../../nestjs/src/rate-limit.exception.ts', 'RateLimitException'],
    ['docs/reference/gate.md', '../../http/src/gate/gate.ts', 'Gate'],
    ['docs/reference/gate.md', '../../http/src/request/response.ts', 'GateResponse'],
    ['docs/reference/gate.md', '../../http/src/request/request.ts', 'HttpRequest'],
    ['docs/reference/gate.md', '../../http/src/gate/admission.ts', 'Denial'],
    ['docs/reference/gate.md', '../../http/src/problem/problem.ts', 'Problem'],
    ['docs/reference/gate.md', '../../http/src/problem/negotiated-body.ts', 'Body'],
    ['docs/reference/identities.md', '../../http/src/keys/ip.ts', 'IpOptions'],
    ['docs/reference/identities.md', '../../http/src/keys/api-key.ts', 'ApiKeyOptions'],
    ['docs/reference/identities.md', '../../http/src/keys/jwt-subject.ts', 'JwtSubjectOptions'],
    ['docs/reference/identities.md', '../../http/src/keys/otherwise.ts', 'Otherwise'],
    ['docs/reference/limiter.md', 'limiter/limiter-options.ts', 'SharedLimiterOptions'],
    ['docs/reference/limiter.md', 'limiter/limiter.ts', 'Limiter'],
    ['docs/reference/limiter.md', 'limiter/decisions/meter.ts', 'MeterOptions'],
    ['docs/reference/limiter.md', 'limiter/decisions/meter.ts', 'Meter'],
    ['docs/reference/policies.md', '../../policies/src/policies.ts', 'Policies'],
    ['docs/reference/policies.md', '../../policies/src/policies.ts', 'PoliciesStatus'],
    ['docs/reference/policies.md', '../../policies/src/open-policies.ts', 'PoliciesOptions'],
    ['docs/reference/policies.md', '../../policies/src/fleet/redis-policies.ts', 'RedisPoliciesOptions'],
    ['docs/guide/llm.md', 'limiter/tiers/llm-tiers.ts', 'LlmTiersOptions'],
    ['docs/reference/limiter.md', 'stores/memory/memory-store.ts', 'MemoryStoreOptions'],
    ['docs/reference/limiter.md', '../../redis/src/client/redis-options.ts', 'RedisOptions'],
    ['docs/reference/limiter.md', '../../redis/src/redis-store.ts', 'RedisStoreOptions'],
    ['docs/reference/decision.md', 'model/decision.ts', 'Decision'],
    ['docs/reference/decision.md', 'model/outcome.ts', 'Outcome'],
    ['docs/guide/redis-clients.md', '../../redis/src/client/redis-client.ts', 'RedisClient'],
    ['docs/guide/own-store.md', 'stores/store.ts', 'Store'],
    ['docs/guide/own-store.md', 'model/answer.ts', 'Answer'],
    ['docs/guide/own-store.md', 'model/claim.ts', 'Claim'],
  ])('%s has each member of %s, %s', (path, source, name) => {
    const { text } = page(path);

    const members = membersOf(source, name);

    expect(members.length).toBeGreaterThan(0);
    expect(members.filter((member) => !new RegExp(`\`(?:[a-z]+\\.)?${member}\\b`).test(text))).toEqual([]);
  });
});

function codes(): readonly string[] {
  const [, union = ''] = /export type ErrorCode =([^;]+);/.exec(sourceOf('model/errors.ts')) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code!);
}

/** The codes of all warnings in the sources. */
function warnings(): readonly string[] {
  const folders = publishedPackages().map((folder) => join(folder, 'src'));
  const texts = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const codesOf = (text: string) => [...text.matchAll(/\bwarn(?:Again)?\(\s*'(SLUICE_\w+)'/g)].map(([, code]) => code!);
  return [...new Set(texts.flatMap(codesOf))].toSorted();
}
