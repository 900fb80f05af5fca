/** @type {readonly import('./models.mjs').Break[]} */
export const leaseBreaks = [
  {
    name: 'a refill ignores the units in hand',
    text: 'keys[p].refill = UNITS - inHand(p) - isReserved(p)',
    replacement: 'keys[p].refill = UNITS',
  },
  {
    name: 'a refill ignores the units that requests have reserved',
    text: 'keys[p].refill = UNITS - inHand(p) - isReserved(p)',
    replacement: 'keys[p].refill = UNITS - inHand(p)',
  },
  {
    name: 'a refill that failed counts as granted',
    text: `inline LeasedKey_abandon(p) {
  keys[p].refill = 0`,
    replacement: `inline LeasedKey_abandon(p) {
  keys[p].grants[window] = keys[p].grants[window] + keys[p].refill;
  keys[p].refill = 0`,
  },
  {
    name: 'a refill that was denied brings the units that it has requested',
    text: ':: keys[p].granted == 0 && keys[p].left > 0 ->',
    replacement:
      ':: keys[p].granted == 0 && keys[p].left > 0 -> keys[p].granted = keys[p].refill; LeasedKey_receive(p)\n  :: false ->',
  },
  {
    name: 'a reply that comes after the deadline is taken for the next refill, and so is its own',
    text: 'keys[p].refill > 0 && keys[p].number == since && !keys[p].isAnswered && !keys[p].isDead ->',
    replacement: '!keys[p].isAnswered && !keys[p].isDead ->',
  },
  {
    name: 'expired units go back and stay in hand',
    text: `    StoreWithLease_giveBack(p, keys[p].grants[since], since);
    keys[p].grants[since] = 0`,
    replacement: '    StoreWithLease_giveBack(p, keys[p].grants[since], since)',
  },
  {
    name: 'a request that another tier denies puts its unit back and returns it',
    text: ':: !keys[p].isRetired -> keys[p].grants[from]++',
    replacement: ':: !keys[p].isRetired -> keys[p].grants[from]++; StoreWithLease_giveBack(p, 1, from)',
  },
  {
    name: 'a request that another tier denies loses its unit',
    text: ':: StoreWithLease_giveBack(p, 1, from)\n',
    replacement: ':: true\n',
  },
  {
    name: 'units of an earlier window come out of this one',
    text: ':: until == window && used >= units -> used = used - units\n  :: until == window && used < units -> used = 0',
    replacement: ':: used >= units -> used = used - units',
  },
  {
    name: 'units that arrive when the lease is closed stay there',
    text: ':: keys[p].isRetired && keys[p].granted > 0 -> StoreWithLease_giveBack(p, keys[p].granted, keys[p].grantedIn)',
    replacement: ':: keys[p].isRetired && keys[p].granted > 0',
  },
];
