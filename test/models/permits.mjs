/** Of `permits.pml`. */
export const permitClaims = {
  FITS: 'requests that run by a permit of Redis that never lapsed fit the limit, and Redis has these permits',
  SHARES: 'each process gives at most its share itself',
  KNOWING: 'no answer of Redis counts that was given without knowing what the process held',
  LAPSES: 'what a dead process held lapses within `hold`',
  AWAKE: 'no request pauses beside units that its process has released',
  TRUE: 'when Redis has answered, it has the permits of what runs, and no others',
};

/** @type {readonly import('./models.mjs').Break[]} */
export const permitBreaks = [
  {
    name: 'a permit that the local store has given never reaches Redis',
    claim: 'TRUE',
    with: ['KNOWING'],
    text: `  :: byLocal -> Outbox_keep(n)
  :: else`,
    replacement: `  :: false
  :: else`,
  },
  {
    name: 'a release that was lost is not sent again',
    claim: 'TRUE',
    text: 'isEnding[n] = false; isEndKept[n] = true',
    replacement: 'isEnding[n] = false',
  },
  {
    name: 'a permit that a renewal may have stored is not released in Redis',
    claim: 'TRUE',
    text: '  mayBeStored[n] = true;\n',
    replacement: '',
  },
  {
    name: 'a permit of another request is released',
    claim: 'TRUE',
    with: ['FITS'],
    text: `  if
  :: life[n] > 0 -> live--
  :: else
  fi;
  life[n] = 0`,
    replacement: `  life[n ^ 1] = 0;
  live = 0`,
  },
  {
    name: 'a release wakes no waiting request',
    claim: 'AWAKE',
    text: ':: at[w] == waiting -> Attempts_decide(p, w); break',
    replacement: ':: at[w] == waiting -> skip',
  },
  {
    name: 'the next check is sent before the release',
    claim: 'AWAKE',
    text: `  if
  :: mayBeStored[n] -> Releases_add(p, n)
  :: else
  fi;
  /* The check is in flight behind the release. */
  WaitingLines_wake(p)`,
    replacement: `  WaitingLines_wake(p);
  if
  :: mayBeStored[n] -> Releases_add(p, n)
  :: else
  fi`,
  },
  {
    name: 'a request pauses whose denial was in flight when a permit was released',
    claim: 'AWAKE',
    text: ':: wasReleased[n] -> Attempts_decide(p, n)',
    replacement: ':: false',
  },
  {
    name: 'Redis gives one permit more than its limit',
    claim: 'FITS',
    text: ':: live < LIMIT -> hold_units(n)',
    replacement: ':: live <= LIMIT -> hold_units(n)',
  },
  {
    name: 'the local store gives a permit beyond its share',
    claim: 'SHARES',
    text: ':: used < SHARE ->',
    replacement: ':: used <= SHARE ->',
  },
  {
    name: 'what a dead process held stays in Redis',
    claim: 'LAPSES',
    text: `        :: life[m] > 0 ->
          life[m]--;`,
    replacement: `        :: life[m] > 0 ->
          life[m] = life[m] - (isDead[OWNER(m)] -> 0 : 1);`,
  },
  {
    name: 'a process that connects again does not tell what runs',
    claim: 'KNOWING',
    with: ['TRUE'],
    text: `          Outbox_keep(k)
        }
        k = 0;
        Outbox_sendAll(p)`,
    replacement: `          skip
        }
        k = 0;
        Outbox_sendAll(p)`,
  },
  {
    name: 'a check that comes before the timers after a stall renews nothing',
    claim: 'KNOWING',
    text: `inline Renewals_catchUp(p) {
  Renewals_renewDue(p)`,
    replacement: `inline Renewals_catchUp(p) {
  skip`,
  },
];

/** Those that two faults show. @type {readonly import('./models.mjs').Break[]} */
export const permitBreaksOfTwo = [
  {
    name: 'a check overtakes the permits that Redis has not heard of',
    claim: 'KNOWING',
    text: '    Outbox_before(p, n);\n',
    replacement: '    Outbox_send(p);\n',
  },
  {
    name: 'a check does not wait for the answer to the facts before it',
    claim: 'KNOWING',
    text: '&& awaits[n] == 0 -> Attempts_onAnswer(p, n)',
    replacement: '-> awaits[n] = 0; Attempts_onAnswer(p, n)',
  },
  {
    name: 'a check counts although Redis has not heard the facts before it',
    claim: 'KNOWING',
    text: ':: at[n] == granted && !isUnheard[n] ->',
    replacement: ':: at[n] == granted ->',
  },
  {
    name: 'a renewal that comes too late is not awaited',
    claim: 'KNOWING',
    text: ':: life[k] == 0 -> Outbox_keep(k)',
    replacement: ':: life[k] == 0 -> Renewals_send(p, k, renewal)',
  },
  {
    name: 'the local store does not hear what Redis has given',
    claim: 'SHARES',
    text: `  tellLocal(p);
  used = 0;`,
    replacement: '  used = 0;',
  },
  {
    name: 'the local store decides about a failed check before it hears of renewals that a stall has delayed',
    claim: 'SHARES',
    text: '(!isLocal[k] || isDue[k])',
    replacement: '!isLocal[k]',
  },
  {
    name: 'a permit whose answer never came is not released',
    claim: 'TRUE',
    text: `inline Attempts_releaseUnknown(p, n) {
  Releases_add(p, n)`,
    replacement: `inline Attempts_releaseUnknown(p, n) {
  skip`,
  },
];
