import { type Account, EMPTY, plainAccount } from './account.js';
import type { Grant } from './grants.js';

/** How an earlier version has written an account as JSON: its units never ended. */
interface PlainJson extends Pick<Account, 'at' | 'credits' | 'spent'> {
  readonly left: number;
}

/** The account of JSON, or of the numbers that Redis tells: `low`, `ended`, `endedUnits`, and four of each grant. */
export function revived(json: object): Account {
  if (!Array.isArray(json)) return 'left' in json ? plainOf(json as PlainJson) : (json as Account);
  const [low = 0, ended = 0, endedUnits = 0, ...numbers] = json as readonly number[];
  const grants: Grant[] = [];
  for (let at = 0; at < numbers.length; at += 4) {
    const [number, order, ends, left] = numbers.slice(at, at + 4) as [number, number, number, number];
    grants.push({ number, order, ends, left });
  }
  return { ...EMPTY, low, ended, endedUnits, grants };
}

function plainOf({ left, at, credits, spent }: PlainJson): Account {
  return { ...plainAccount(left), at, credits, spent };
}
