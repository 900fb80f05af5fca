import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** The files that a package name on a page resolves to. */
interface Source {
  /** The file to run. */
  readonly module: string;
  /** The file with its types. */
  readonly types: string;
}

export const sources: Readonly<Record<string, Source>> = {
  '@sluice/core': ours('core'),
  '@sluice/core/own-store': ours('core', 'own-store'),
  '@sluice/dashboard': ours('dashboard'),
  '@sluice/express': ours('express'),
  '@sluice/fastify': ours('fastify'),
  '@sluice/hono': ours('hono'),
  '@sluice/http': ours('http'),
  '@sluice/http/adapter': ours('http', 'adapter'),
  '@sluice/http/app': ours('http', 'app'),
  '@sluice/http/lists': ours('http', 'lists'),
  '@sluice/metrics': ours('metrics'),
  '@sluice/metrics/operations': ours('metrics', 'operations'),
  '@sluice/nestjs': ours('nestjs'),
  '@sluice/opentelemetry': ours('opentelemetry'),
  '@sluice/overload': ours('overload'),
  '@sluice/overload/fair': ours('overload', 'fair'),
  '@sluice/overload/line': ours('overload', 'line'),
  '@sluice/overload/queues': ours('overload', 'queues'),
  '@sluice/policies': ours('policies'),
  '@sluice/policies/operations': ours('policies', 'operations'),
  '@sluice/policies/overrides': ours('policies', 'overrides'),
  '@sluice/prometheus': ours('prometheus'),
  '@sluice/quotas': ours('quotas'),
  '@sluice/quotas/billing': ours('quotas', 'billing'),
  '@sluice/redis': ours('redis'),
  '@sluice/server': ours('server'),
  '@sluice/testing': ours('testing'),
  '@fastify/cors': theirs('test', '@fastify/cors/index.js', '@fastify/cors/types/index.d.ts'),
  '@fastify/jwt': theirs('test', '@fastify/jwt/index.js', '@fastify/jwt/types/index.d.ts'),
  '@fastify/redis': theirs('test', '@fastify/redis/index.js', '@fastify/redis/types/index.d.ts'),
  '@fastify/websocket': theirs('test', '@fastify/websocket/index.js', '@fastify/websocket/types/index.d.ts'),
  '@nestjs/common': theirs('test', '@nestjs/common/index.js', '@nestjs/common/index.d.ts'),
  '@nestjs/core': theirs('test', '@nestjs/core/index.js', '@nestjs/core/index.d.ts'),
  '@nestjs/platform-express': theirs(
    'test',
    '@nestjs/platform-express/index.js',
    '@nestjs/platform-express/index.d.ts',
  ),
  '@nestjs/platform-fastify': theirs(
    'test',
    '@nestjs/platform-fastify/index.js',
    '@nestjs/platform-fastify/index.d.ts',
  ),
  '@opentelemetry/api': theirs(
    'test',
    '@opentelemetry/api/build/src/index.js',
    '@opentelemetry/api/build/src/index.d.ts',
  ),

  '@valkey/valkey-glide': theirs(
    'test',
    '@valkey/valkey-glide/build-ts/index.js',
    '@valkey/valkey-glide/build-ts/index.d.ts',
  ),
  express: theirs('test', 'express/index.js', '@types/express/index.d.ts'),
  fastify: theirs('test', 'fastify/fastify.js', 'fastify/fastify.d.ts'),
  hono: theirs('test', 'hono/dist/cjs/index.js', 'hono/dist/types/index.d.ts'),
  'hono/cors': theirs('test', 'hono/dist/cjs/middleware/cors/index.js', 'hono/dist/types/middleware/cors/index.d.ts'),
  'hono/jwt': theirs('test', 'hono/dist/cjs/middleware/jwt/index.js', 'hono/dist/types/middleware/jwt/index.d.ts'),
  ioredis: theirs('test', 'ioredis/built/index.js', 'ioredis/built/index.d.ts'),
  jose: theirs('examples/shared', 'jose/dist/webapi/index.js', 'jose/dist/types/index.d.ts'),
  koa: theirs('test', 'koa/dist/koa.mjs', '@types/koa/index.d.ts'),
  'node-sqlite3-wasm': theirs(
    'examples/sqlite-store',
    'node-sqlite3-wasm/dist/node-sqlite3-wasm.js',
    'node-sqlite3-wasm/node-sqlite3-wasm.d.ts',
  ),
  pg: theirs('test', 'pg/lib/index.js', '@types/pg/index.d.ts'),
  redis: theirs('test', 'redis/dist/index.js', 'redis/dist/index.d.ts'),
  'prom-client': theirs('test', 'prom-client/index.js', 'prom-client/index.d.ts'),
};

/** What users install: to compile the sources again takes longer than all pages. */
function ours(name: string, entry = 'index'): Source {
  const path = (file: string) => join(root, 'packages', name, 'dist', 'esm', file);
  return { module: path(`${entry}.js`), types: path(`${entry}.d.ts`) };
}

/** The real path, because the packages of Sluice resolve to it. */
function theirs(folder: string, module: string, types: string): Source {
  const path = (file: string) => realpathSync(join(root, folder, 'node_modules', file));
  return { module: path(module), types: path(types) };
}
