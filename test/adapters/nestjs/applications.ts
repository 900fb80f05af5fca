import { Module, type ModuleMetadata } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export interface Platform {
  readonly name: string;
  readonly adapter: () => AbstractHttpAdapter;
}

/** The platforms that are supported, for `describe.each`. */
export const platforms: readonly Platform[] = [
  { name: 'Nest on Express', adapter: () => new ExpressAdapter() },
  { name: 'Nest on Fastify', adapter: () => new FastifyAdapter() },
];

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An application that listens, and a client that talks to it. */
export interface Running {
  readonly app: Application;
  readonly ask: (path?: string, request?: RequestInit) => Promise<Answer>;
  /** The statuses of so many requests, each when the one before has been answered. */
  readonly statuses: (count: number, path?: string, request?: RequestInit) => Promise<number[]>;
}

export type Application = Awaited<ReturnType<typeof NestFactory.create>>;

export type Opener = (root: ModuleMetadata, prepare?: (app: Application) => void) => Promise<Running>;

/** Starts applications that are closed after the test. Call it where tests are described. */
export function applicationOpener({ adapter }: Platform): Opener {
  const running: Application[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
  });

  return async (root, prepare) => {
    const app = await NestFactory.create(moduleOf(root), adapter(), { abortOnError: false, logger: false });
    running.push(app);
    prepare?.(app);
    await app.listen(0, '127.0.0.1');
    return clientOf(app, await app.getUrl());
  };
}

/** A module, of which there is nothing but what it is made of. */
export function moduleOf(metadata: ModuleMetadata): new () => object {
  // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
  class Some {}
  Module(metadata)(Some);
  return Some;
}

function clientOf(app: Application, url: string): Running {
  const ask = async (path = '/', request: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(url + path, request);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const statuses = async (count: number, path?: string, request?: RequestInit) => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) found.push((await ask(path, request)).status);
    return found;
  };
  return { app, ask, statuses };
}
