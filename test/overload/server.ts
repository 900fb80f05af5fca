import cluster from 'node:cluster';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { appOf, stop, type App, type Listener } from './apps.js';
import type { Cluster, Question, ServerSetup, ServerState, Started } from './terms.js';

// node server.ts '{ "server": "express", … }': a server whose requests work, alone or as the worker of a primary. It sends its
// address, and its state when asked.
const setup = JSON.parse(process.argv[2]!) as ServerSetup;

function create(listener: Listener): Server {
  const handle: RequestListener = (...exchange) => void listener(...exchange);
  const server =
    setup.transport === 'tls'
      ? createTlsServer({ key: fileOf('overload.key'), cert: fileOf('overload.crt') }, handle)
      : createServer(handle);
  // Longer than any run: clients that reuse a connection must not meet its end.
  server.keepAliveTimeout = 600_000;
  return server;
}

function fileOf(name: string): string {
  return readFileSync(join(setup.folder, name), 'utf8');
}

async function serve(): Promise<void> {
  const app = appOf(setup);
  const server = await app.serve(create);
  const path = join(setup.folder, `${process.pid}.sock`);
  if (setup.transport === 'unix') server.listen(path);
  else server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  answerQuestions(app);
  const address = setup.transport === 'unix' ? { path } : { port: (server.address() as AddressInfo).port };
  const started: Started = { pid: process.pid, address };
  process.send!(started);
}

function answerQuestions({ shed }: App): void {
  let [troubled, highest] = [0, 0];
  setInterval(() => {
    const level = shed?.level ?? 0;
    if (level > 0) troubled = Date.now();
    highest = Math.max(highest, level);
  }, 10);
  process.on('message', (message: Question) => {
    if (message !== 'state') {
      // As a task of the application, before requests are read that have come meanwhile.
      setTimeout(() => stop(message.pause), 1);
      return;
    }
    const { user, system } = process.cpuUsage();
    const [level, used] = [shed?.level ?? 0, user + system];
    const state: ServerState = { version: process.version, level, troubled, highest, used };
    highest = 0;
    process.send!(state);
  });
}

/** The primary of a worker that serves: it passes on what the two say. */
function haveWorker(kind: Cluster): void {
  cluster.schedulingPolicy = kind === 'none' ? cluster.SCHED_NONE : cluster.SCHED_RR;
  const worker = cluster.fork();
  worker.on('message', (message: Started | ServerState) => process.send!(message));
  process.on('message', (message: Question) => worker.send(message));
}

process.on('disconnect', () => process.exit());
if (setup.cluster !== undefined && cluster.isPrimary) haveWorker(setup.cluster);
else await serve();
