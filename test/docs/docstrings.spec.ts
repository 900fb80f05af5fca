import * as core from '@sluice/core';
import * as algorithms from '@sluice/core/own-store';
import * as metrics from '@sluice/metrics';
import * as redis from '@sluice/redis';
import * as testing from '@sluice/testing';
import * as dashboard from '@sluice/dashboard';
import * as express from '@sluice/express';
import * as fastify from '@sluice/fastify';
import * as hono from '@sluice/hono';
import * as nestjs from '@sluice/nestjs';
import * as opentelemetry from '@sluice/opentelemetry';
import * as policies from '@sluice/policies';
import * as prometheus from '@sluice/prometheus';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages } from '../../scripts/workspace.mjs';

const ENTRIES = {
  core,
  algorithms,
  metrics,
  redis,
  testing,
  dashboard,
  express,
  fastify,
  hono,
  nestjs,
  opentelemetry,
  policies,
  prometheus,
};

/** The declarations of all packages, as editors read them. */
const declarations = publishedPackages()
  .map((folder) => join(folder, 'dist', 'esm'))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.d.ts'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

describe('The built declarations', () => {
  it.each(Object.entries(ENTRIES))('of %s have an example for each function', (_entry, exported) => {
    const names = functionsOf(exported);

    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !/@example\b/.test(docOf(`(?:function|const) ${name}\\b`)))).toEqual([]);
  });

  it.each(['limit', 'window', 'key'])('have an example for the option %s', (name) => {
    // Other interfaces have options of these names, too.
    expect(docsOf(`${name}: `).filter((doc) => /@example\b/.test(doc))).not.toEqual([]);
  });
});

/** The names of the functions of a module, without its classes. */
function functionsOf(exported: object): readonly string[] {
  const isFunction = (value: unknown) => typeof value === 'function' && !/^class\b/.test(String(value));
  return Object.entries(exported).flatMap(([name, value]) => (name !== 'default' && isFunction(value) ? [name] : []));
}

/** The comment before a declaration. */
function docOf(pattern: string): string {
  return docsOf(pattern)[0] ?? '';
}

/** The comments before all declarations of a name. */
function docsOf(pattern: string): readonly string[] {
  const documented = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s+(?:export )?(?:declare )?${pattern}`, 'g');
  return [...declarations.matchAll(documented)].map(([, doc]) => doc!);
}
