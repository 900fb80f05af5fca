import { channels, isSluiceError, warn, warnAgain } from '@sluice/core/internal';
import type { IpList } from '../networks/ip-list-interface.js';

/** Milliseconds after which a list without a state is warned of again. */
const WARNING_INTERVAL_MS = 60_000;

/** What operators are told about the store of a list, by warnings and events. */
export class ListReports {
  readonly #list: IpList;
  #warnedAt = -Infinity;

  constructor(list: IpList) {
    this.#list = list;
  }

  failure(error: unknown): void {
    const problem = isSluiceError(error) ? error.message : 'the reply could not be read';
    const { name, isLoaded, onStoreFailure } = this.#list;
    if (channels.listFailed.hasSubscribers) channels.listFailed.publish({ list: name, isLoaded, problem });
    if (isLoaded) {
      warn('SLUICE_LIST_STALE', `ipList "${name}": its last state stays in force, because ${problem}`);
      return;
    }
    const now = performance.now();
    if (now - this.#warnedAt < WARNING_INTERVAL_MS) return;
    this.#warnedAt = now;
    const answer = onStoreFailure === 'deny' ? 'are answered with 503' : 'pass it, except its seed';
    warnAgain(
      'SLUICE_LIST_NOT_LOADED',
      `ipList "${name}": it has no state yet, so requests ${answer}, because ${problem}`,
    );
  }

  /** @param changes how many */
  loss(changes: number): void {
    const { name } = this.#list;
    if (channels.listLost.hasSubscribers) channels.listLost.publish({ list: name, changes });
    const loss = `Redis has lost ${changes} of its changes`;
    warnAgain('SLUICE_LIST_LOST', `ipList "${name}": ${loss}. They stay in force here, and will be written back`);
  }
}
