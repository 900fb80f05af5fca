import { START } from '../world/globals.js';
import type { World } from '../world/world.js';
import { Keyspace } from './keyspace.js';
import { ErrorReply, type Reply } from './reply.js';
import { runScript, scriptOf, type ScriptText } from './scripts.js';

/** A call of a script, as a client sends it. Texts are bytes. */
export interface ScriptCommand {
  readonly by: 'sha' | 'source';
  readonly script: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  /** Another primary of a Cluster has sent it here. */
  readonly isAsking?: boolean;
}

/** A Redis that runs the scripts of the product, with a clock of its own. */
export class SimServer {
  keyspace = new Keyspace();
  /** It accepts no connection. `stop` and `start` change it. */
  isDown = false;
  /** How often it has stopped: no byte of an earlier connection arrives any more. */
  stops = 0;
  /** It does nothing before. */
  stalledUntil = 0;
  /** The error that it replies with instead of running a command. */
  problem: string | undefined;
  /** The error of a command that writes. */
  writeProblem: ((writes: 'grows' | 'shrinks') => string | undefined) | undefined;
  /** What a primary of a Cluster replies to a command that it does not run. */
  redirection:
    | ((keyspace: Keyspace, command: Pick<ScriptCommand, 'keys' | 'isAsking'>) => ErrorReply | undefined)
    | undefined;
  readonly #scripts = new Map<string, ScriptText>();
  #step = 0;

  /** @param rate of its clock */
  constructor(
    readonly world: World,
    readonly name: string,
    readonly rate: number,
  ) {}

  /** False for a key in a slot of another primary. */
  owns(key: string): boolean {
    return this.redirection?.(this.keyspace, { keys: [key] }) === undefined;
  }

  stop(): void {
    this.isDown = true;
    this.stops += 1;
  }

  start(): void {
    this.isDown = false;
  }

  /** Microseconds since 1970. */
  time(): number {
    return Math.floor((START + this.world.now * this.rate + this.#step) * 1e3);
  }

  stepClock(milliseconds: number): void {
    this.#step += milliseconds;
  }

  forgetScripts(): void {
    this.#scripts.clear();
  }

  run(command: ScriptCommand): Reply {
    const { by, script, keys, args } = command;
    if (this.problem !== undefined) return new ErrorReply(this.problem);
    this.keyspace.now = Math.floor(this.time() / 1e3);
    const redirection = this.redirection?.(this.keyspace, command);
    if (redirection !== undefined) return redirection;
    let text = by === 'sha' ? this.#scripts.get(script) : undefined;
    if (by === 'sha' && text === undefined) return new ErrorReply('NOSCRIPT No matching script. Please use EVAL.');
    if (text === undefined) {
      text = scriptOf(script);
      this.#scripts.set(text.sha, text);
    }
    return runScript(text, { keyspace: this.keyspace, now: this.time(), refusal: this.writeProblem }, keys, args);
  }
}
