import type { LoggedRequest } from '../../logs/lines/logged-request.js';
import { copyOf } from './copy-of.js';
import { AGENT_CLASSES, agentClassOf, type AgentClass } from './agent.js';

/** More than a log of a month has. Scanners make up agents, and each beyond it is one of its class. */
const MOST = 2 ** 16;
/** Characters of an agent that are kept: clients choose how many they send. */
const LONGEST = 512;

/** The agents of a log: each text once. A text is read when its code is new, because that takes longer than all else. */
export class Agents {
  /** By code. */
  readonly #ids = new Map<number, number>();
  /** Files of different formats have different codes for one agent. */
  readonly #idsOfTexts = new Map<string, number>();
  /** By id. The first ids stand for the agents of a class that were too many. */
  readonly #texts: string[] = AGENT_CLASSES.map(() => '');
  /** By id: places in the classes. */
  readonly #classes: number[] = [...AGENT_CLASSES.keys()];

  idOf(request: LoggedRequest): number {
    const { agentCode } = request;
    if (agentCode === 0) return NONE;
    const known = this.#ids.get(agentCode);
    if (known !== undefined) return known;
    const agent = request.agent.slice(0, LONGEST);
    const id = this.#idsOfTexts.get(agent) ?? this.#add(agent);
    if (this.#ids.size < MOST) this.#ids.set(agentCode, id);
    return id;
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

  #add(agent: string): number {
    const agentClass = AGENT_CLASSES.indexOf(agentClassOf(agent));
    if (agent === '' || this.#texts.length >= MOST) return agentClass;
    const text = copyOf(agent);
    this.#idsOfTexts.set(text, this.#texts.length);
    this.#classes.push(agentClass);
    return this.#texts.push(text) - 1;
  }
}

const NONE = AGENT_CLASSES.indexOf('none');
