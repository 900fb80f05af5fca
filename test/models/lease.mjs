/** Of `lease.pml`. */
export const leaseClaims = {
  PAID: 'a process spends, reserves and returns no more units than were charged for it',
  SMALL: 'a process has at most `units`, in hand and in flight: a crash costs no more',
  EXACT: 'Redis counts each unit that is spent or in hand',
  TOTAL: 'all windows together admit no more than their limits',
  WINDOW: 'one window admits at most limit + processes × `units`',
  LEAKS:
    'at the end Redis counts nothing but what was spent, what is in hand, what lost calls have cost, and `units` for each crash',
};

/** What Redis has room for, and what it says of it to a refill that it denies. */
const ROOM = `#define fits(units) (used + units <= LIMIT)

/* models packages/core/src/algorithms/group.lua */
inline consume_group(p, units) {
  if
  :: fits(units) ->
    used = used + units;
    balance[p] = balance[p] + units;
    granted = units;
    left = 0
  :: else ->
    granted = 0;
    left = LIMIT - used`;

/** Redis that has room by another rule, and says no less than nothing of it. @param {string} rule */
function roomBy(rule) {
  return ROOM.replace('(used + units <= LIMIT)', rule).replace('LIMIT - used', '(used < LIMIT -> LIMIT - used : 0)');
}

/** @type {readonly import('./models.mjs').Break[]} */
export const leaseBreaks = [
  {
    name: 'a refill ignores the units in hand',
    claim: 'SMALL',
    text: 'keys[p].refill = UNITS - inHand(p) - isReserved(p)',
    replacement: 'keys[p].refill = UNITS',
  },
  {
    name: 'a refill ignores the units that requests have reserved',
    claim: 'SMALL',
    text: 'keys[p].refill = UNITS - inHand(p) - isReserved(p)',
    replacement: 'keys[p].refill = UNITS - inHand(p)',
  },
  {
    name: 'a refill that failed counts as granted',
    claim: 'EXACT',
    with: ['PAID', 'TOTAL'],
    text: `inline LeasedKey_abandon(p) {
  keys[p].refill = 0`,
    replacement: `inline LeasedKey_abandon(p) {
  keys[p].grants[window] = keys[p].grants[window] + keys[p].refill;
  keys[p].refill = 0`,
  },
  {
    name: 'a refill that was denied brings the units that it has requested',
    claim: 'EXACT',
    with: ['PAID', 'TOTAL'],
    text: ':: keys[p].granted == 0 && keys[p].left > 0 ->',
    replacement:
      ':: keys[p].granted == 0 && keys[p].left > 0 -> keys[p].granted = keys[p].refill; LeasedKey_receive(p)\n  :: false ->',
  },
  {
    name: 'a reply that comes after the deadline is taken for the next refill, and so is its own',
    claim: 'EXACT',
    with: ['SMALL'],
    text: 'keys[p].refill > 0 && keys[p].number == since && !keys[p].isAnswered && !keys[p].isDead ->',
    replacement: '!keys[p].isAnswered && !keys[p].isDead ->',
  },
];

/** Those that bite without a fault of the world. @type {readonly import('./models.mjs').Break[]} */
export const leaseBreaksWithoutFault = [
  {
    name: 'expired units go back twice',
    claim: 'PAID',
    with: ['EXACT', 'TOTAL'],
    text: `    LeaseLayer_giveBack(p, keys[p].grants[since], since);
    keys[p].grants[since] = 0`,
    replacement: `    LeaseLayer_giveBack(p, keys[p].grants[since], since);
    LeaseLayer_giveBack(p, keys[p].grants[since], since);
    keys[p].grants[since] = 0`,
  },
  {
    name: 'a request that another tier denies puts its unit back and returns it',
    claim: 'PAID',
    with: ['EXACT'],
    text: ':: !keys[p].isRetired -> keys[p].grants[from]++',
    replacement: ':: !keys[p].isRetired -> keys[p].grants[from]++; LeaseLayer_giveBack(p, 1, from)',
  },
  {
    name: 'a request that another tier denies loses its unit',
    claim: 'LEAKS',
    text: ':: LeaseLayer_giveBack(p, 1, from)\n',
    replacement: ':: true\n',
  },
  {
    name: 'units of an earlier window come out of this one',
    claim: 'EXACT',
    text: ':: until == window && used >= units -> used = used - units\n  :: until == window && used < units -> used = 0',
    replacement: ':: used >= units -> used = used - units\n  :: used < units -> used = 0',
  },
  {
    name: 'units that arrive when the lease is closed stay there',
    claim: 'LEAKS',
    text: ':: keys[p].isRetired && keys[p].granted > 0 -> LeaseLayer_giveBack(p, keys[p].granted, keys[p].grantedIn)',
    replacement: ':: keys[p].isRetired && keys[p].granted > 0',
  },
  {
    name: 'expired units of an earlier window go back twice',
    claim: 'PAID',
    text: `    LeaseLayer_giveBack(p, keys[p].grants[since], since);
    keys[p].grants[since] = 0`,
    replacement: `    LeaseLayer_giveBack(p, keys[p].grants[since], since);
    if
    :: since != window -> LeaseLayer_giveBack(p, keys[p].grants[since], since)
    :: else
    fi;
    keys[p].grants[since] = 0`,
  },
  {
    name: 'Redis admits one unit too many in its first window',
    claim: 'TOTAL',
    text: ROOM,
    replacement: roomBy('(used + units <= LIMIT + (window == 0))'),
  },
];

/** Where a process may have fewer units than a window. @type {readonly import('./models.mjs').Break[]} */
export const windowBreaks = [
  {
    name: 'a window admits what the one before has left',
    claim: 'WINDOW',
    text: ROOM,
    replacement: roomBy('(total + balance[0] + units <= LIMIT * (window + 1))'),
  },
];
