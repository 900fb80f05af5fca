import { signal } from '@preact/signals';
import { VERSION, type Health, type Snapshot, type State, type Tail } from '../src/messages.ts';
import { api, ApiError } from './api.ts';
import { Series } from './series.ts';
import { addToTail } from './tail.ts';

/** `full`: the process serves as many pages as it may. `closed`: this reader may not see the page any more. */
export type Connection = 'opening' | 'live' | 'lost' | 'full' | 'closed';

const RETRY = 2_000;

/** What the page knows. */
export const feed = {
  connection: signal<Connection>('opening'),
  state: signal<State | undefined>(undefined),
  snapshot: signal<Snapshot | undefined>(undefined),
  seconds: new Series(),
  minutes: new Series(),
};

let events: EventSource | undefined;
let retry: number | undefined;
/** The second of the newest tick. */
let last: number | undefined;

/** Opens the feed, and keeps it open while the page is visible. */
export function start(): void {
  void open();
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : void open()));
}

async function open(): Promise<void> {
  close();
  try {
    const state = await api.state();
    if (state.version !== VERSION) location.reload();
    feed.state.value = state;
    feed.seconds.fill(state.seconds);
    feed.minutes.fill(state.minutes);
    show(state);
  } catch (error) {
    const isClosed = error instanceof ApiError && error.status === 404;
    again(isClosed ? 'closed' : 'lost');
    // What this reader may not see any more.
    if (isClosed) feed.snapshot.value = undefined;
    return;
  }
  listen();
}

/** @param isRenewed the server has ended a feed that was open for a minute, to check the rights of the reader again */
function listen({ isRenewed = false } = {}): void {
  let wasOpen = isRenewed;
  const source = new EventSource(api.events);
  events = source;
  source.addEventListener('open', () => {
    wasOpen = true;
    feed.connection.value = 'live';
  });
  source.addEventListener('renew', () => {
    source.close();
    listen({ isRenewed: true });
  });
  source.addEventListener('tick', ({ data }) => show(JSON.parse(data as string) as Snapshot));
  source.addEventListener('tail', ({ data }) => addToTail(JSON.parse(data as string) as Tail));
  source.addEventListener('health', ({ data }) => {
    const { value } = feed.snapshot;
    if (value) feed.snapshot.value = { ...value, health: JSON.parse(data as string) as Health };
  });
  // The state is read again: a browser that connects again by itself would miss what came between.
  source.addEventListener('error', () => again(wasOpen ? 'lost' : 'full'));
}

function again(connection: Connection): void {
  close();
  feed.connection.value = connection;
  retry = setTimeout(() => void open(), RETRY);
}

function close(): void {
  clearTimeout(retry);
  events?.close();
  events = undefined;
  last = undefined;
}

function show(snapshot: Snapshot): void {
  const { second, recent } = snapshot;
  if (last !== undefined && second > last) feed.seconds.move(second - last, recent);
  last = Math.max(last ?? 0, second);
  feed.snapshot.value = snapshot;
}
