/** @type {readonly import('./models.mjs').Break[]} */
export const permitBreaks = [
  {
    name: 'a check overtakes the permits that Redis has not heard of',
    text: '    Outbox_before(p, n);\n',
    replacement: '    Outbox_send(p);\n',
  },
  {
    name: 'a check does not wait for the answer to the facts before it',
    text: '&& awaits[n] == 0 -> Attempts_onAnswer(p, n)',
    replacement: '-> awaits[n] = 0; Attempts_onAnswer(p, n)',
  },
  {
    name: 'a check counts although Redis has not heard the facts before it',
    text: ':: at[n] == granted && !isUnheard[n] ->',
    replacement: ':: at[n] == granted ->',
  },
  {
    name: 'the local store does not hear what Redis has given',
    text: `  HeldPermits_tellLocal(p);
  used = 0;`,
    replacement: '  used = 0;',
  },
  {
    name: 'a permit that the local store has given never reaches Redis',
    text: `  :: byLocal -> Outbox_keep(n)
  :: else`,
    replacement: `  :: false
  :: else`,
  },
  {
    name: 'a process that connects again does not tell what runs',
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
    name: 'a permit whose answer never came is not released',
    text: `inline Attempts_releaseUnknown(p, n) {
  Releases_add(p, n)`,
    replacement: `inline Attempts_releaseUnknown(p, n) {
  skip`,
  },
  {
    name: 'a release that was lost is not sent again',
    text: 'isEnding[n] = false; isEndKept[n] = true',
    replacement: 'isEnding[n] = false',
  },
  {
    name: 'a permit that a renewal may have stored is not released in Redis',
    text: '  mayBeStored[n] = true;\n',
    replacement: '',
  },
  {
    name: 'the local store decides about a failed check before it hears of renewals that a stall has delayed',
    text: '(!isLocal[k] || isDue[k])',
    replacement: '!isLocal[k]',
  },
  {
    name: 'a renewal that comes too late is not awaited',
    text: ':: life[k] == 0 -> Outbox_keep(k)',
    replacement: ':: life[k] == 0 -> Renewals_send(p, k, renewal)',
  },
  {
    name: 'a check that comes before the timers after a stall renews nothing',
    text: `inline Renewals_catchUp(p) {
  Renewals_renewDue(p)`,
    replacement: `inline Renewals_catchUp(p) {
  skip`,
  },
  {
    name: 'a permit of another request is released',
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
    text: ':: at[w] == waiting -> Attempts_decide(p, w); break',
    replacement: ':: at[w] == waiting -> skip',
  },
  {
    name: 'the next check is sent before the release',
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
    text: ':: wasReleased[n] -> Attempts_decide(p, n)',
    replacement: ':: false',
  },
];
