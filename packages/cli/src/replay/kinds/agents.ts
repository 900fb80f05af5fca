import { copyOf } from './copy-of.js';
import { AGENT_CLASSES, agentClassOf, type AgentClass } from './agent.js';

/** More than a log of a month has. Scanners make up agents, and each beyond it is one of its class. */
const MOST = 2 ** 16;
/** Characters of an agent that are kept: clients choose how many they send. */
const LONGEST = 512;

/** The agents of a log: each text once. */
export class Agents {
  readonly #ids = new Map<string, number>();
  /** By id. The first ids stand for the agents of a class that were too many. */
  readonly #texts: string[] = AGENT_CLASSES.map(() => '');
  /** By id: places in the classes. */
  readonly #classes: number[] = [...AGENT_CLASSES.keys()];

  idOf(sent: string): number {
    const agent = sent.length > LONGEST ? sent.slice(0, LONGEST) : sent;
    const known = this.#ids.get(agent);
    if (known !== undefined) return known;
    const agentClass = AGENT_CLASSES.indexOf(agentClassOf(agent));
    if (agent === '' || this.#texts.length >= MOST) return agentClass;
    const text = copyOf(agent);
    this.#ids.set(text, this.#texts.length);
    this.#classes.push(agentClass);
    return this.#texts.push(text) - 1;
  }

  /** Empty for an agent that was too many. */
  textOf(id: number): string {
    return this.#texts[id]!;
  }

  classOf(id: number): AgentClass {
    return AGENT_CLASSES[this.#classes[id]!]!;
  }

  /** False for a log without agents. */
  get hasAny(): boolean {
    return this.#ids.size > 0;
  }
}
