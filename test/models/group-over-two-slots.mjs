/** Of `group-over-two-slots.pml`. */
export const groupClaims = {
  EXACT: 'a slot counts each charge once, and at most its limit',
  PAID: 'an admitted request is charged in both slots',
  CLEAN: 'a request that is not admitted keeps a charge only after a lost call, and takes no place in a queue',
};

/** @type {readonly import('./models.mjs').Break[]} */
export const groupBreaks = [
  {
    name: 'a denied request keeps what the other slot has charged',
    claim: 'CLEAN',
    text: 'requests[r].decision = denied; compensate(r)',
    replacement: 'requests[r].decision = denied',
  },
  {
    name: 'a request that failed keeps what the other slot has charged',
    claim: 'CLEAN',
    text: `      undoOf(r, first);
      if
      :: first != last -> undoOf(r, last)
      :: else
      fi;
      requests[r].decision = failed`,
    replacement: '      requests[r].decision = failed',
  },
  {
    name: 'an undo whose reply was lost is sent again',
    claim: 'EXACT',
    text: '-> WIRE(r, s)!undo, PART(r, s).window, PART(r, s).place',
    replacement:
      '-> WIRE(r, s)!undo, PART(r, s).window, PART(r, s).place; WIRE(r, s)!undo, PART(r, s).window, PART(r, s).place',
  },
  {
    name: 'an undo takes units out of a later window',
    claim: 'EXACT',
    text: 'until == window[s] && used[s] > 0',
    replacement: 'used[s] > 0',
  },
  {
    name: 'an undo goes to each slot that has answered, also to one that has denied',
    claim: 'EXACT',
    text: 'PART(r, s).answer == admits -> WIRE(r, s)!undo',
    replacement: 'PART(r, s).answer != fails -> WIRE(r, s)!undo',
  },
  {
    name: 'a request is admitted when one slot admits it',
    claim: 'PAID',
    text: 'PART(r, 0).answer != denies && PART(r, 1).answer != denies',
    replacement: 'PART(r, 0).answer != denies || PART(r, 1).answer != denies',
  },
];

/** Where slot 1 is a queue. @type {readonly import('./models.mjs').Break[]} */
export const queueBreaks = [
  {
    name: 'a queue is charged together with the other slot',
    claim: 'CLEAN',
    text: `  consumeTogether(r, 0, 0);
  if
  :: requests[r].decision == undecided && PART(r, 0).answer == admits ->
    consumeTogether(r, 1, 1);
    if
    :: atomic { requests[r].decision == failed -> undoOf(r, 0) }
    :: else
    fi
  :: else
  fi
`,
    replacement: '  consumeTogether(r, 0, 1)\n',
  },
  {
    name: 'a request whose queue fails keeps what the first slot has charged',
    claim: 'CLEAN',
    text: 'requests[r].decision == failed -> undoOf(r, 0)',
    replacement: 'requests[r].decision == failed -> skip',
  },
  {
    name: 'a request is admitted although its queue has denied it',
    claim: 'PAID',
    text: 'PART(r, 0).answer != denies && PART(r, 1).answer != denies',
    replacement: 'PART(r, 0).answer != denies',
  },
];
