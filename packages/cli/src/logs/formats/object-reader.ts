import type { LoggedRequest } from '../lines/logged-request.js';
import { OTHER_EVENT, SKIPPED, type ExtraFields, type ReadLine } from '../lines/log-reader.js';
import { anyTime, isFineTime } from '../lines/log-time.js';
import { headerOf, numberOf, textOf, type Finder } from './json-paths.js';
import { MAX_ADDRESS_TEXT, readAddress, withoutAnyPort } from './logged-address.js';
import { findersOf, type ObjectFields } from './object-fields.js';
import { ObjectRequest } from './object-request.js';
import { OpenRequests } from './open-requests.js';

/** Reads the object of a line. */
export interface ObjectReader {
  readonly read: (line: object) => ReturnType<ReadLine>;
  readonly isWholeSeconds: () => boolean;
  /** Requests that no line has answered. */
  readonly rest: () => readonly LoggedRequest[];
}

/** A reader of the objects of a format. @param sample some objects of the file */
export function objectReader(fields: ObjectFields, extra: ExtraFields, sample: readonly object[]): ObjectReader {
  const { addressOf } = extra;
  const find = findersOf(fields, extra);
  const isAnswer = (line: object) => find.status(line) !== undefined || find.response(line) !== undefined;
  const isOfClient = (line: object) => find.ip(line) !== undefined || textOf(find.key(line)) !== '';
  // Loggers bind the request to each line that is written while it runs. Where some lines have both a client and a
  // status, the others are about something else; a log without any status has a line for a request.
  const needsAnswer = sample.some((line) => isOfClient(line) && isAnswer(line));
  const isJoined = !needsAnswer && hasAnswersElsewhere(sample, { idOf: find.joinedBy, isOfClient, isAnswer });
  const open = new OpenRequests();
  const isNew = fields.id === undefined ? () => true : recentIds(find.id);
  let isFine = false;
  const read = (line: object): ReturnType<ReadLine> => {
    const identity = textOf(find.key(line));
    const ip = find.ip(line);
    if (isJoined && ip === undefined && isAnswer(line))
      return open.close(textOf(find.joinedBy(line)), line) ?? OTHER_EVENT;
    // A client that `--key` names needs no address.
    if ((ip === undefined && identity === '') || (needsAnswer && !isAnswer(line))) return OTHER_EVENT;
    const written = find.time(line);
    const end = anyTime(written);
    const address = ip === undefined || ip === '' ? NOBODY : typeof ip === 'string' ? readAddress(ip) : undefined;
    if (Number.isNaN(end) || address === undefined) return undefined;
    if (!isNew(line)) return OTHER_EVENT;
    const peer = withoutAnyPort(address.peer);
    const header = addressOf === undefined ? '' : headerOf(find.forwarded(line)) || address.forwarded;
    // Of an end in whole seconds nothing can be subtracted: it would look more precise than it is.
    isFine ||= isFineTime(written);
    const passed = fields.taken === undefined || !isFine ? 0 : numberOf(find.taken(line)) * fields.taken.milliseconds;
    const request = new ObjectRequest({
      line,
      find,
      // To the microsecond, as stores count.
      time: Number.isFinite(passed) && passed > 0 ? Math.round((end - passed) * 1e3) / 1e3 : end,
      ip: (addressOf === undefined ? peer : addressOf(peer, header)!).slice(0, MAX_ADDRESS_TEXT),
      key: identity,
    });
    const id = isJoined ? textOf(find.joinedBy(line)) : '';
    return id === '' ? request : (open.add(id, request) ?? SKIPPED);
  };
  return { read, isWholeSeconds: () => !isFine, rest: () => open.rest() };
}

interface Lines {
  readonly idOf: Finder;
  readonly isOfClient: (line: object) => boolean;
  readonly isAnswer: (line: object) => boolean;
}

/** True where the answers to some requests are in lines of their own. */
function hasAnswersElsewhere(sample: readonly object[], { idOf, isOfClient, isAnswer }: Lines): boolean {
  const ids = new Set(sample.filter(isOfClient).map((line) => textOf(idOf(line))));
  ids.delete('');
  return sample.some((line) => isAnswer(line) && ids.has(textOf(idOf(line))));
}

const NOBODY = { peer: '', forwarded: '' };

/** Lines of one request stand near each other. */
const MAX_IDS = 16_384;

/** Whether a line has an id that no line before it had. */
function recentIds(idOf: Finder): (line: object) => boolean {
  let [recent, older] = [new Set<string>(), new Set<string>()];
  return (line) => {
    const id = textOf(idOf(line));
    if (id === '') return true;
    if (recent.has(id) || older.has(id)) return false;
    if (recent.size === MAX_IDS) [recent, older] = [new Set(), recent];
    recent.add(id);
    return true;
  };
}
