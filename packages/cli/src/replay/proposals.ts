import { Trial } from '../limits/trial.js';
import type { Client } from './client.js';
import { headroomOf, MOST_HEADROOM } from './headroom.js';
import { searchOf, type LimitSearch } from './limit-search.js';
import { isByRequest, MAX_LOG_LIMIT, type ReplayTier } from './replayed-request.js';
import type { Selection } from './selection.js';
import { stayersOf } from './stayers.js';

/** A limit of a tier that, on its own, denies less than a share of some clients. */
export interface Proposal {
  readonly tier: string;
  /** Milliseconds. */
  readonly window: number;
  /** Whose share it is: that of all clients, or that of people. */
  readonly by: 'clients' | 'people';
  /** The lowest limit that would have done for this log. */
  readonly least: number;
  /** That with headroom, for the next log. */
  readonly limit: number;
  /** How many of them it denies in this log. */
  readonly denied: number;
  readonly of: number;
  /** These are the people who stay: a shorter window does not have all that they send in this one. */
  readonly isOfStayers: boolean;
  /** It denies at most so many of them. */
  readonly mayDeny: number;
  /** The client that decides: the busiest that may not be denied. Undefined where no single client can be named. */
  readonly decides: Decider | undefined;
  /** What a limit for people does to visits of one or two pages with all their files. Undefined where it denies none. */
  readonly loads?: { readonly denied: number; readonly of: number; readonly limit: number } | undefined;
}

type Shorter = Pick<Proposal, 'window' | 'limit'>;

export interface Decider {
  readonly client: Client;
  /** Units in its busiest window. */
  readonly busiest: number;
  /** The lowest limit if this client were not there. */
  readonly without: number;
}

/** A window that the log does not fill often enough to say what clients need in it. */
export interface Unfilled {
  readonly tier: string;
  /** Milliseconds. */
  readonly window: number;
  /** Windows with a request. */
  readonly filled: number;
  /** Of the people, those who tell what this window needs. Undefined where the windows are too few. */
  readonly stay?: { readonly people: number; readonly of: number };
  /** What would be proposed, and is too close to the limit of the shorter window. */
  readonly needs?: number;
  /** The proposal for a shorter window, by which this one is judged. */
  readonly shorter?: Shorter | undefined;
}

export interface ProposalSetup {
  readonly selection: Selection;
  readonly tier: ReplayTier;
  /** The share of clients that a limit may deny. Undefined for one of 1 000, or one client of a few. */
  readonly below: number | undefined;
  /** The proposal for a shorter window of the same limiter. @default none */
  readonly shorter?: Shorter | undefined;
  readonly signal: AbortSignal;
}

/** So many visits that fill a shorter window must fit a longer one, or its limit denies who comes again. */
const VISITS = 2;
/** Of the clients that a proposed limit may deny, where no option says so: one of 1 000. */
export const BELOW = 0.001;
/** Of so few clients the busiest one alone decides. Of more, it may be denied where the share would be none. */
const FEW = 20;
/** So many may be denied where a log of fewer clients could not promise less. */
const MOST_DENIED = 0.01;
/** As many windows tell what a client needs in a busy one. */
export const FILLED = 10;

/**
 * What limit to propose for a tier: for people, and for all clients where none looks like people. Programs are few and
 * busy: with them among the clients, a limit that spares 999 of 1 000 may be several times what people need. Nothing for a
 * tier whose limit is no number, or with functions of the request, and nothing that would spare a log of scanners.
 */
export async function proposalsOf(setup: ProposalSetup): Promise<readonly Proposal[] | Unfilled> {
  const { selection, tier, signal } = setup;
  if (!('limit' in tier) || typeof tier.limit !== 'number' || isByRequest(tier)) return [];
  if (selection.clients.every(({ kind }) => kind === 'scanner')) return [];
  const { window } = new Trial([tier]).tiers[0]!;
  const filled = selection.windowsOf(window, FILLED);
  if (filled < FILLED) return { tier: tier.name, window, filled };
  const search = searchOf(selection, tier, signal);
  const people = selection.clients.filter(({ kind }) => kind === 'person');
  const about = { tier: tier.name, window };
  if (people.length === 0) {
    return [
      { ...about, by: 'clients', ...(await withHeadroom(setup, { search, window, clients: selection.clients })) },
    ];
  }
  const stayers = stayersOf(people, setup, window);
  // An option names the share of all people.
  const isFree = setup.below === undefined;
  if (isFree && stayers.length < FILLED && stayers.length * 2 < people.length)
    return { ...about, filled, stay: { people: stayers.length, of: people.length }, shorter: setup.shorter };
  const isOfStayers = isFree && setup.shorter !== undefined;
  const audience = { search, window, clients: isOfStayers ? stayers : people };
  const own = { ...(await withHeadroom(setup, audience)), isOfStayers };
  if (isOfStayers && own.limit < VISITS * setup.shorter.limit)
    return { ...about, filled, needs: own.limit, shorter: setup.shorter };
  const all = await leastFor(setup, { search, window, clients: selection.clients }, own.mayDeny);
  // What spares all clients spares people as well.
  const limit = Math.max(all.least, own.limit);
  const denied = limit === all.least ? all.denied : (await search.deniedBy(selection.clients, limit)).length;
  return [
    { ...about, by: 'clients', ...all, limit, denied },
    { ...about, by: 'people', ...own, loads: await loadsAt(own.limit, setup, audience) },
  ];
}

/** The page loads that a limit for people denies, and the limit that would spare them, too. */
async function loadsAt(limit: number, setup: ProposalSetup, audience: Audience): Promise<Proposal['loads']> {
  const loads = setup.selection.clients.filter(({ kind }) => kind === 'page load');
  const denied = await audience.search.deniedBy(loads, limit);
  if (denied.length === 0) return undefined;
  const sparing = await withHeadroom(setup, { ...audience, clients: [...audience.clients, ...loads] });
  return { denied: denied.length, of: loads.length, limit: Math.max(limit, sparing.limit) };
}

interface Audience {
  readonly search: LimitSearch;
  readonly window: number;
  readonly clients: readonly Client[];
}

type Numbers = Omit<Proposal, 'tier' | 'window' | 'by'>;

/** How many clients a limit may deny: fewer than the share, and one of a few where no option says so. */
function mostDenied(of: number, below: number | undefined): number {
  const share = Math.max(0, Math.ceil(of * (below ?? BELOW)) - 1);
  return below === undefined && of >= FEW ? Math.max(1, share) : share;
}

async function leastFor(
  { selection }: ProposalSetup,
  { search, window, clients }: Audience,
  mayDeny: number,
): Promise<Numbers> {
  const of = clients.length;
  const { limit: least, denied } = await search.find(clients, mayDeny);
  const numbers = { least, limit: least, denied, of, mayDeny, isOfStayers: false };
  if (!search.isQuick || least === 1) return { ...numbers, decides: undefined };
  const [below1, at] = [await search.deniedBy(clients, least - 1), new Set(await search.deniedBy(clients, least))];
  const deciding = below1.filter((client) => !at.has(client));
  if (deciding.length !== 1) return { ...numbers, decides: undefined };
  const [client] = deciding as [Client];
  const others = clients.filter((each) => each !== client);
  const { limit: without } = await search.find(others, mayDeny);
  return { ...numbers, decides: { client, busiest: selection.mostIn(window, client), without } };
}

async function withHeadroom(setup: ProposalSetup, audience: Audience): Promise<Numbers> {
  const { search, window, clients } = audience;
  const { selection, below } = setup;
  const demands = Float64Array.from(clients, (client) => selection.mostIn(window, client))
    .toSorted()
    .toReversed();
  let mayDeny = mostDenied(clients.length, below);
  // The busiest of a few people say little about another day. The fewer the log has, the less is promised.
  if (below === undefined) {
    while (mayDeny + 1 <= clients.length * MOST_DENIED && headroomOf(demands, mayDeny) > MOST_HEADROOM) mayDeny += 1;
  }
  const numbers = await leastFor(setup, audience, mayDeny);
  const { least } = numbers;
  const wanted = Math.ceil(least * headroomOf(demands, mayDeny));
  let limit = Math.max(least, Math.min(Math.floor(least * MOST_HEADROOM), wanted));
  let denied = await search.deniedBy(clients, limit);
  // Above 64 a sliding window estimates, so that a higher limit may deny more than a lower one.
  if (denied.length > mayDeny) {
    limit = MAX_LOG_LIMIT;
    denied = await search.deniedBy(clients, limit);
  }
  return { ...numbers, limit, denied: denied.length };
}

/** The tiers with the limits to try: those of people, or those of all clients where none looks like people. */
export function proposedTiers(tiers: readonly ReplayTier[], proposals: readonly Proposal[]): readonly ReplayTier[] {
  return tiers.flatMap((tier) => {
    const own = proposals.filter((proposal) => proposal.tier === tier.name);
    const found = own.find(({ by }) => by === 'people') ?? own[0];
    return found === undefined
      ? []
      : [{ ...tier, limit: found.limit, name: `${found.limit}/${tier.name}` } as ReplayTier];
  });
}
