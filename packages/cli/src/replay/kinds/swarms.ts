import { countText } from '../../terminal/figures.js';
import { grouped } from './grouped.js';
import type { ClientSigns } from './signs.js';

/** Addresses that act as one: what no limit by address can stop, because each of them sends little. */
export interface Swarm {
  /** Indices of the clients. */
  readonly clients: readonly number[];
  /** The signs in words. */
  readonly evidence: string;
  /** They send sign-ins, and not one page. */
  readonly isByForm: boolean;
  /** Where most of their requests go. Empty where it is not known. */
  readonly page: string;
}

/** What swarms are told by. */
export interface SwarmSetup {
  /** Those that have loaded no file of a page. */
  readonly clients: readonly { readonly index: number; readonly signs: ClientSigns }[];
  readonly textOf: (page: number) => string;
  /** Where most sign-ins and sign-ups of the log go. */
  readonly formPath: string | undefined;
}

/** Fewer addresses may be alike by chance. */
const MANY = 50;
/** Of the addresses that ask for the same. */
const ALIKE = 0.9;
/** Of the requests of a person fewer are sign-ins: pages follow. */
const FORMS = 0.2;
/** People that sign in have more agents: one for so many addresses, and at most so many that most have. */
const ADDRESSES_OF_AGENT = 20;
const MOST_AGENTS = 10;

type Member = SwarmSetup['clients'][number];

/** The swarms of a log of addresses. */
export function swarmsOf({ clients, textOf, formPath }: SwarmSetup): readonly Swarm[] {
  const forms = formSwarm(clients, formPath);
  const inForms = new Set(forms?.clients);
  const others = clients.filter(({ index, signs }) => isAsBrowser(signs) && !inForms.has(index));
  const pages = [...grouped(others.filter(hasOnePage), ({ signs }) => signs.page)]
    .map(([page, members]) => pageSwarm(members, textOf(page)))
    .filter((swarm) => swarm !== undefined);
  return forms === undefined ? pages : [forms, ...pages];
}

/** Calls itself a browser. Applications of telephones have one agent, too, and so have programs. */
function isAsBrowser({ agent, agents, requests }: ClientSigns): boolean {
  return agents.browser * 2 > requests && agent.startsWith('Mozilla/');
}

function hasOnePage({ signs }: Member): boolean {
  return signs.paths === 1 && signs.browsers === 1;
}

/** Addresses with one agent that ask for one page alone. People that do have many agents. */
function pageSwarm(members: readonly Member[], page: string): Swarm | undefined {
  const [first] = [...byAgent(members)].toSorted((one, other) => other.length - one.length);
  if (first === undefined || first.length < MANY || first.length < ALIKE * members.length) return undefined;
  const evidence = `one of ${countText(first.length)} addresses with one agent and one page${page && `, ${page}`}`;
  return { clients: first.map(({ index }) => index), evidence, isByForm: false, page };
}

/** Addresses that send little but sign-ins and sign-ups: all of them refused, or with few agents. */
function formSwarm(clients: readonly Member[], formPath: string | undefined): Swarm | undefined {
  const senders = clients.filter(({ signs }) => signs.forms > 0 && signs.forms >= FORMS * signs.requests);
  const refused = senders.filter(({ signs }) => signs.failedForms === signs.forms);
  const isRefused = refused.length >= MANY && refused.length * 2 >= senders.length;
  const members = isRefused ? refused : senders.filter(({ signs }) => isAsBrowser(signs));
  if (members.length < MANY || !(isRefused || hasFewAgents(members))) return undefined;
  const what = isRefused ? 'refused sign-ins' : 'sign-ins and sign-ups, by few agents';
  return {
    clients: members.map(({ index }) => index),
    evidence: `one of ${countText(members.length)} addresses that send little but ${what}`,
    isByForm: true,
    page: formPath ?? '',
  };
}

function hasFewAgents(members: readonly Member[]): boolean {
  const sizes = [...byAgent(members)].map((each) => each.length).toSorted((one, other) => other - one);
  const few = Math.min(MOST_AGENTS, Math.floor(members.length / ADDRESSES_OF_AGENT));
  return sizes.slice(0, few).reduce((sum, size) => sum + size, 0) >= ALIKE * members.length;
}

function byAgent(members: readonly Member[]): Iterable<readonly Member[]> {
  return grouped(members, ({ signs }) => signs.agent).values();
}
