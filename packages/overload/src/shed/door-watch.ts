import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Door, type Turns } from './door.js';
import { doorEvent } from './shed-events.js';

/** Published by Node for each connection that a server has accepted. */
const ACCEPTED = 'net.server.socket';

/** The door of this process. It costs nothing before `open`, and holds nothing where the platform does not publish connections. */
export class DoorWatch {
  readonly door = new Door(turnsOfNode, (event) => doorEvent.publish(event));

  open(): void {
    subscribe(ACCEPTED, this.#onAccept);
  }

  close(): void {
    unsubscribe(ACCEPTED, this.#onAccept);
  }

  readonly #onAccept = (message: unknown): void => {
    const { socket } = message as { readonly socket?: { readonly _handle?: { readonly fd?: number } } };
    // Node has no other way to the descriptor.
    // oxlint-disable-next-line no-underscore-dangle
    this.door.accept(socket?._handle?.fd ?? -1);
  };
}

/** What `ulimit -n` says. Node raises it at its start as far as it may, which elsewhere than on Linux is far. */
let mostDescriptors: number | undefined;

const turnsOfNode: Turns = {
  now: () => performance.now(),
  atEnd: (callback, isUrgent) => void setImmediate(callback)[isUrgent ? 'ref' : 'unref'](),
  // Microtasks run before the next tick that one of them asks for.
  afterWork: (callback) => queueMicrotask(() => process.nextTick(callback)),
  descriptors: () => (mostDescriptors ??= readLimit() ?? Infinity),
};

function readLimit(): number | undefined {
  try {
    const limits = process.getBuiltinModule('node:fs').readFileSync('/proc/self/limits', 'latin1');
    const [, most] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    // Not Linux, or a process that may not read it.
    return undefined;
  }
}
