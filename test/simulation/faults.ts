import type { Fleet } from './fleet.js';
import { SimServer } from './redis/sim-server.js';

/** What may go wrong. `begin` returns what ends it. */
export interface Fault {
  readonly name: string;
  /** Only a Cluster can have it. */
  readonly needsCluster?: true;
  readonly begin: (fleet: Fleet, milliseconds: number) => (() => void) | undefined;
}

const NO_RIGHT = "NOPERM User limiter has no permissions to run the 'evalsha' command";
const FULL = "OOM command not allowed when used memory > 'maxmemory'.";
const READ_ONLY = "READONLY You can't write against a read only replica.";

/** Milliseconds in which memory is used up, or comes free. */
const MEMORY_MS = [2, 200] as const;

function reply(name: string, problem: string): Fault {
  return {
    name,
    begin(fleet) {
      const { server } = fleet;
      server.problem = problem;
      return () => (server.problem = undefined);
    },
  };
}

function refuse(name: string, problemOf: (writes: 'grows' | 'shrinks') => string | undefined): Fault {
  return {
    name,
    begin({ server }) {
      server.writeProblem = problemOf;
      return () => (server.writeProblem = undefined);
    },
  };
}

function someMember(fleet: Fleet) {
  return fleet.world.random.pick(fleet.members);
}

export const faults: readonly Fault[] = [
  reply('Redis denies a right', NO_RIGHT),
  reply('Redis loads its data', 'LOADING Redis is loading the dataset in memory'),
  refuse('Redis is full', (writes) => (writes === 'grows' ? FULL : undefined)),
  refuse('Redis is read-only', () => READ_ONLY),
  {
    name: 'Redis is full now and then',
    begin({ server, world }, milliseconds) {
      const endsAt = world.now + milliseconds;
      let isFull = false;
      const turn = () => {
        isFull = !isFull && world.now < endsAt;
        server.writeProblem = (writes) => (isFull && writes === 'grows' ? FULL : undefined);
        if (world.now < endsAt) world.after(world.random.magnitude(...MEMORY_MS), turn);
      };
      turn();
      return () => (server.writeProblem = undefined);
    },
  },
  {
    name: 'Redis stalls',
    begin({ server, world }, milliseconds) {
      server.stalledUntil = world.now + milliseconds;
      return undefined;
    },
  },
  {
    name: 'Redis is gone, and keeps its data',
    begin(fleet) {
      fleet.server.stop();
      fleet.dropAll();
      return () => {
        fleet.server.start();
        fleet.server.forgetScripts();
      };
    },
  },
  {
    name: 'Redis restarts empty',
    begin(fleet) {
      fleet.server.stop();
      fleet.dropAll();
      return () => {
        // Of two restarts at the same time the second one ends beside clients that are connected.
        if (!fleet.server.isDown) fleet.silentLosses.push(fleet.world.now);
        fleet.server.start();
        fleet.server.forgetScripts();
        fleet.lose();
      };
    },
  },
  {
    name: 'a replica takes over that lacks the last writes',
    begin(fleet) {
      const { world } = fleet;
      const copy = fleet.server.keyspace.copy();
      return () => {
        // Another replica may have taken over in the meantime.
        const last = fleet.server;
        const promoted = new SimServer(world, `${last.name}'`, last.rate);
        promoted.stepClock((last.time() - promoted.time()) / 1e3);
        last.stop();
        // It has the data of the last one until it loses some.
        promoted.keyspace = last.keyspace;
        fleet.server = promoted;
        fleet.lose(copy);
        fleet.dropAll(last);
      };
    },
  },
  {
    name: 'Redis loses its data without a sign',
    begin(fleet) {
      fleet.lose();
      fleet.silentLosses.push(fleet.world.now);
      return undefined;
    },
  },
  {
    name: 'Redis forgets its scripts',
    begin({ server }) {
      server.forgetScripts();
      return undefined;
    },
  },
  {
    name: 'the clock of Redis jumps forward',
    begin(fleet) {
      fleet.server.stepClock(fleet.world.random.pick([500, 5_000, 3_600_000]));
      fleet.losses.push(fleet.world.now);
      fleet.silentLosses.push(fleet.world.now);
      return undefined;
    },
  },
  {
    name: 'the clock of Redis jumps back',
    begin(fleet) {
      fleet.server.stepClock(-fleet.world.random.pick([500, 5_000, 3_600_000]));
      fleet.delays.push(fleet.world.now);
      return undefined;
    },
  },
  {
    name: 'a slot moves',
    needsCluster: true,
    begin: (fleet, milliseconds) => fleet.cluster?.move(milliseconds),
  },
  {
    name: 'a process is cut off',
    begin(fleet, milliseconds) {
      someMember(fleet).link.cutUntil = fleet.world.now + milliseconds;
      return undefined;
    },
  },
  {
    name: 'all processes are cut off',
    begin({ members, world }, milliseconds) {
      for (const { link } of members) link.cutUntil = world.now + milliseconds;
      return undefined;
    },
  },
  {
    name: 'replies are lost',
    begin({ members, world }, milliseconds) {
      for (const { link } of members) link.deafUntil = world.now + milliseconds;
      return undefined;
    },
  },
  {
    name: 'a connection breaks',
    begin(fleet) {
      someMember(fleet).client.drop();
      return undefined;
    },
  },
  {
    name: 'a process stalls',
    begin(fleet, milliseconds) {
      someMember(fleet).process.stall(milliseconds);
      return undefined;
    },
  },
  {
    name: 'a process dies',
    begin(fleet) {
      const place = fleet.world.random.integer(0, fleet.size - 1);
      const { process, client } = fleet.members[place]!;
      process.kill();
      client.end();
      return () => fleet.start(place);
    },
  },
  {
    name: 'the network is slow',
    begin({ members, world }) {
      const most = world.random.pick([30, 80, 300]);
      const before = members.map(({ link }) => link.most);
      for (const { link } of members) link.most = most;
      return () => {
        for (const [place, { link }] of members.entries()) link.most = before[place]!;
      };
    },
  },
];

interface PlanOptions {
  /** Faults that come more often, by a part of their name. @default none */
  readonly likely?: readonly string[];
  /** All faults have ended then. */
  readonly until: number;
  readonly count: number;
  /** Called when one begins, with its milliseconds. */
  readonly onBegin: (milliseconds: number) => void;
}

/** Begins faults, at times of their own. */
export function plan(
  fleet: Fleet,
  allowed: readonly Fault[],
  { until, count, likely = [], onBegin }: PlanOptions,
): readonly string[] {
  const { world } = fleet;
  const { random } = world;
  const names: string[] = [];
  const frequent = allowed.filter(({ name }) => likely.some((part) => name.includes(part)));
  for (let number = 0; number < count; number += 1) {
    const fault = random.pick(frequent.length > 0 && random.chance(0.5) ? frequent : allowed);
    // Some processes begin beside a server that is away.
    const beginsAt = random.chance(0.1) ? 0 : until * (0.1 + 0.5 * random.fraction());
    const milliseconds = Math.min(until - beginsAt, random.magnitude(20, until));
    names.push(fault.name);
    world.at(beginsAt, () => {
      world.tell('FAULT', `${fault.name}, ${Math.round(milliseconds)} ms`);
      const end = fault.begin(fleet, milliseconds);
      onBegin(milliseconds);
      world.after(milliseconds, () => {
        end?.();
        world.tell('FAULT', `${fault.name}: over`);
      });
    });
  }
  return names;
}
