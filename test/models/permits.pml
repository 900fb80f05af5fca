/*
 * Permits of one key: requests of several processes hold them in Redis, under names. A process renews what runs, decides
 * alone while Redis does not answer, and tells Redis what it has missed before Redis decides again. A denied request waits:
 * when its process releases a permit, its next check is sent behind the release.
 *
 * A tick is a third of `hold`. FAULTS times the world may, at any moment, lose a call or a reply, run a call after its
 * deadline, cut a process off, stall it or kill it, or restart Redis without its data.
 */
#ifndef PROCESSES
#define PROCESSES 2
#endif
/* Requests of each process. Each is a name. */
#ifndef REQUESTS
#define REQUESTS 2
#endif
#ifndef LIMIT
#define LIMIT 2
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef TICKS
#define TICKS 4
#endif
/* The claims. By default all are examined; with CLAIM one of them, and with EXCEPT all others. */
#define FITS 1
#define SHARES 2
#define KNOWING 3
#define LAPSES 4
#define AWAKE 5
#define TRUE 6
#ifndef CLAIM
#define CLAIM 0
#endif
#ifndef EXCEPT
#define EXCEPT 0
#endif
#define examines(claim) ((CLAIM == 0 && EXCEPT != claim) || CLAIM == claim)
#define SHARE 1
#define HOLD 3
#define NAMES (PROCESSES * REQUESTS)
#define OWNER(n) ((n) / REQUESTS)
#define FIRST(p) ((p) * REQUESTS)
#define LAST(p) ((p) * REQUESTS + REQUESTS - 1)
#define BIT(n) (1 << (n))

/* Redis: the ticks that each name still counts for. */
byte life[NAMES], live;

/* What a process knows of a request. */
mtype = { idle, sent, granted, refused, waiting, failed, held, ended };
mtype at[NAMES] = idle;
bool isLocal[NAMES], mayBeStored[NAMES], isDue[NAMES];
/* A permit was released behind its check. */
bool wasReleased[NAMES];
/* Its local store. */
byte localLife[NAMES];
/* Its outbox: facts that run, facts that have ended, and which of them had a problem. */
bool isKept[NAMES], hasProblem[NAMES], isEndKept[NAMES];
/* Its calls in flight. */
bool isRenewing[NAMES], isTelling[NAMES], isEnding[NAMES];
/* The facts in flight that a check waits for. */
byte awaits[NAMES];
bool isUnheard[NAMES];

mtype = { check, renewal, letter, ending };
chan wires[PROCESSES] = [12] of { mtype, byte };
bool isDown[PROCESSES], isStalled[PROCESSES], isDead[PROCESSES], mayBeLate[PROCESSES];
byte faults, ticks, deadFor[PROCESSES];
#define runs(p) (!isStalled[p] && !isDead[p])

/* What no process can see. The permit was given by Redis and has never lapsed; it was given by the local store. */
bool isCounted[NAMES], isExtra[NAMES];
/* What the process held when it sent its check, and whether Redis decided without knowing that. */
byte askedWith[NAMES];
bool isBlind[NAMES];

/* models packages/core/src/algorithms/concurrency/permits.lua */
inline hold_units(n) {
  if
  :: life[n] == 0 -> live++
  :: else
  fi;
  life[n] = HOLD
}

/* models packages/core/src/algorithms/group.lua */
inline consume_group(n) {
d_step {
  for (m : 0 .. NAMES - 1) {
    if
    :: (askedWith[n] & BIT(m)) && at[m] == held && life[m] == 0 -> isBlind[n] = true
    :: else
    fi
  }
  m = 0
};
  if
  :: live < LIMIT -> hold_units(n); reply = granted
  :: else -> reply = refused
  fi
}

/* models packages/core/src/algorithms/concurrency/permits.ts */
inline Permits_release(n) {
  if
  :: life[n] > 0 -> live--
  :: else
  fi;
  life[n] = 0
}

/* models packages/core/src/stores/between-processes/outbox.ts */
inline Outbox_keep(n) {
  if
  :: at[n] == held -> isKept[n] = true
  :: else
  fi
}

/* models packages/core/src/stores/between-processes/outbox.ts */
inline Outbox_onDelivered(p, n, problem) {
  isRenewing[n] = false;
  if
  :: isKept[n] && !problem -> isKept[n] = false; hasProblem[n] = false
  :: isKept[n] && problem -> hasProblem[n] = true
  :: else
  fi;
d_step {
  for (m : FIRST(p) .. LAST(p)) {
    if
    :: awaits[m] & BIT(n) ->
      awaits[m] = awaits[m] & ~BIT(n);
      isUnheard[m] = isUnheard[m] || problem
    :: else
    fi
  }
  m = 0
}
}

/* models packages/core/src/stores/with-permits/renewals.ts */
inline Renewals_send(p, n, kind) {
  mayBeStored[n] = true;
  if
  :: kind == letter -> isRenewing[n] = true
  :: else -> isTelling[n] = true
  fi;
  if
  :: !isDown[p] -> wires[p]!kind, n
  :: else
  fi
}

/* models packages/core/src/stores/between-processes/outbox.ts */
inline Outbox_send(p) {
  for (k : FIRST(p) .. LAST(p)) {
    if
    :: isKept[k] && !isRenewing[k] -> Renewals_send(p, k, letter)
    :: else
    fi
  }
  k = 0
}

/* models packages/core/src/stores/between-processes/outbox.ts */
inline Outbox_before(p, n) {
  Outbox_send(p);
d_step {
  for (k : FIRST(p) .. LAST(p)) {
    if
    :: isKept[k] ->
      awaits[n] = awaits[n] | BIT(k);
      hasFailed = hasFailed || hasProblem[k]
    :: else
    fi
  }
  k = 0
}
}

/* models packages/core/src/stores/with-permits/releases.ts */
inline Releases_add(p, n) {
  isEnding[n] = true;
  if
  :: !isDown[p] -> wires[p]!ending, n
  :: else
  fi
}

/* models packages/core/src/stores/between-processes/outbox.ts */
inline Outbox_sendAll(p) {
  if
  :: !isDown[p] ->
    Outbox_send(p);
    for (k : FIRST(p) .. LAST(p)) {
      if
      :: isEndKept[k] && !isEnding[k] -> Releases_add(p, k)
      :: else
      fi
    }
    k = 0
  :: else
  fi
}

/* models packages/core/src/stores/with-permits/renewals.ts */
inline Renewals_renewDue(p) {
  for (k : FIRST(p) .. LAST(p)) {
    if
    :: isDue[k] && at[k] == held ->
      isDue[k] = false;
      localLife[k] = (isLocal[k] -> HOLD : 0);
      if
      /* It may have lapsed: by the clock of the process, which is early. */
      :: life[k] == 0 -> Outbox_keep(k)
      :: life[k] > 0 -> Renewals_send(p, k, renewal)
      fi
    :: else
    fi
  }
  k = 0;
  Outbox_sendAll(p)
}

/* models packages/core/src/stores/with-permits/renewals.ts */
inline Renewals_catchUp(p) {
  Renewals_renewDue(p)
}

/* models packages/core/src/stores/with-permits/held-permits.ts */
inline tellLocal(p) {
d_step {
  for (k : FIRST(p) .. LAST(p)) {
    if
    :: at[k] == held && (!isLocal[k] || isDue[k]) -> isLocal[k] = true; localLife[k] = HOLD
    :: else
    fi
  }
  k = 0
}
}

/* models packages/core/src/stores/with-permits/renewals.ts */
inline Renewals_add(n, wasSent, byLocal) {
  at[n] = held;
  mayBeStored[n] = wasSent;
  isLocal[n] = byLocal;
  if
  :: byLocal -> Outbox_keep(n)
  :: else
  fi
}

/* models packages/core/src/stores/with-permits/attempts.ts */
inline Attempts_releaseUnknown(p, n) {
  Releases_add(p, n)
}

/* models packages/core/src/stores/between-processes/with-fallback.ts */
inline FallbackLayer_onFailure(p, n, wasSent) {
  tellLocal(p);
  used = 0;
d_step {
  for (k : FIRST(p) .. LAST(p)) {
    used = used + (localLife[k] > 0)
  }
  k = 0
};
  if
  :: used < SHARE ->
    localLife[n] = HOLD;
    isExtra[n] = true;
    Renewals_add(n, wasSent, true)
  :: else ->
    at[n] = ended;
    if
    :: wasSent -> Attempts_releaseUnknown(p, n)
    :: else
    fi
  fi;
  used = 0
}

/* models packages/core/src/stores/with-permits/attempts.ts */
inline Attempts_decide(p, n) {
  isUnheard[n] = false;
  askedWith[n] = 0;
  wasReleased[n] = false;
  Renewals_catchUp(p);
  if
  :: isDown[p] -> FallbackLayer_onFailure(p, n, false)
  :: else ->
    hasFailed = false;
    Outbox_before(p, n);
    if
    :: hasFailed -> awaits[n] = 0; FallbackLayer_onFailure(p, n, false)
    :: else ->
d_step {
      for (k : FIRST(p) .. LAST(p)) {
        askedWith[n] = askedWith[n] | (at[k] == held -> BIT(k) : 0)
      }
      k = 0
};
      at[n] = sent;
      wires[p]!check, n
    fi;
    hasFailed = false
  fi
}

/* models packages/core/src/stores/with-permits/waiting-lines.ts */
inline WaitingLines_send(p, n) {
  if
  :: wasReleased[n] -> Attempts_decide(p, n)
  :: else -> at[n] = waiting
  fi
}

/* models packages/core/src/stores/with-permits/waiting-lines.ts */
inline WaitingLines_wake(p) {
  for (w : FIRST(p) .. LAST(p)) {
    if
    :: at[w] == sent || at[w] == refused -> wasReleased[w] = true
    :: at[w] == waiting -> Attempts_decide(p, w); break
    :: else
    fi
  }
  w = 0
}

/* models packages/core/src/stores/with-permits/attempts.ts */
inline Attempts_onAnswer(p, n) {
  if
  :: at[n] == granted && !isUnheard[n] ->
#if examines(KNOWING)
    assert(!isBlind[n]);
#endif
    wasReleased[n] = false;
    isCounted[n] = life[n] > 0;
    /* A stalled process may read the answer late. */
    isDue[n] = life[n] == 0;
    Renewals_add(n, true, false)
  :: at[n] == refused && !isUnheard[n] -> WaitingLines_send(p, n)
  :: else -> wasReleased[n] = false; FallbackLayer_onFailure(p, n, true)
  fi
}

/* models packages/core/src/stores/with-permits/with-permits.ts */
inline PermitLayer_undo(p, n) {
  at[n] = ended;
  isKept[n] = false;
  hasProblem[n] = false;
  isDue[n] = false;
  isLocal[n] = false;
  localLife[n] = 0;
  isCounted[n] = false;
  isExtra[n] = false;
  if
  :: mayBeStored[n] -> Releases_add(p, n)
  :: else
  fi;
  /* The check is in flight behind the release. */
  WaitingLines_wake(p)
}

proctype Request(byte p; byte n) provided (runs(p)) {
  byte k, used, w;
  bool hasFailed;
  atomic { Attempts_decide(p, n) }
  do
  :: atomic { (at[n] == granted || at[n] == refused || at[n] == failed) && awaits[n] == 0 -> Attempts_onAnswer(p, n) }
  /* Its pause is over, because other processes release permits too; or its wait is. */
  :: atomic { at[n] == waiting -> Attempts_decide(p, n) }
  :: atomic { at[n] == waiting -> at[n] = ended }
  :: at[n] == held || at[n] == ended -> break
  od;
  if
  :: atomic { at[n] == held -> PermitLayer_undo(p, n) }
  /* It runs for ever. */
  :: at[n] == held
  :: at[n] == ended
  fi
}

/* Calls wait no longer than their deadline: those that were lost, and with a fault those that run later. */
#define isLate(p) (empty(wires[p]) || mayBeLate[p])

/* What the timers of a process do about one request. */
proctype Timers(byte p; byte n) provided (runs(p)) {
  byte k, m;
end:
  do
  :: atomic { isDue[n] && at[n] == held -> Renewals_renewDue(p) }
  /* The second of the outbox, or an answer of Redis. */
  :: atomic { !isDown[p] && ((isKept[n] && !isRenewing[n]) || (isEndKept[n] && !isEnding[n])) -> Outbox_sendAll(p) }
  /* Deadlines, of calls that were lost, or that may still run. */
  :: atomic { at[n] == sent && isLate(p) -> mayBeLate[p] = false; at[n] = failed }
  :: atomic { isRenewing[n] && isLate(p) -> mayBeLate[p] = false; Outbox_onDelivered(p, n, true) }
  :: atomic { isTelling[n] && isLate(p) -> mayBeLate[p] = false; isTelling[n] = false; Outbox_keep(n); hasProblem[n] = isKept[n] }
  :: atomic { isEnding[n] && isLate(p) -> mayBeLate[p] = false; isEnding[n] = false; isEndKept[n] = true }
  :: atomic { faults < FAULTS && nempty(wires[p]) && !mayBeLate[p] -> faults++; mayBeLate[p] = true }
  od
}

/* One connection, in order: Redis runs a call, and its reply arrives or is lost. */
proctype Connection(byte p) {
  byte m, n;
  mtype reply;
end:
  do
  :: atomic {
      wires[p]?check, n ->
      consume_group(n);
      if
      :: at[n] == sent -> at[n] = reply
      :: faults < FAULTS -> faults++
      :: at[n] != sent
      fi;
      reply = 0;
      n = 0
    }
  :: atomic {
      wires[p]?renewal, n ->
      hold_units(n);
      if
      :: isTelling[n] -> isTelling[n] = false
      :: faults < FAULTS -> faults++
      :: !isTelling[n]
      fi;
      n = 0
    }
  :: atomic {
      wires[p]?letter, n ->
      hold_units(n);
      if
      :: isRenewing[n] -> Outbox_onDelivered(p, n, false)
      :: faults < FAULTS -> faults++
      :: !isRenewing[n]
      fi;
      n = 0
    }
  :: atomic {
      wires[p]?ending, n ->
      Permits_release(n);
      if
      :: isEnding[n] -> isEnding[n] = false; isEndKept[n] = false
      :: faults < FAULTS -> faults++
      :: !isEnding[n]
      fi;
      n = 0
    }
  :: atomic { faults < FAULTS && nempty(wires[p]) -> faults++; wires[p]?_, _ }
  od
}

/* the world */
inline cut(p) {
  isDown[p] = true;
  do
  :: nempty(wires[p]) -> wires[p]?_, _
  :: empty(wires[p]) -> break
  od
}

#define every(p, check) (check(FIRST(p)) && check(FIRST(p) + (REQUESTS > 1)) && check(LAST(p)))
#define isIdle(n) \
  ((at[n] == idle || at[n] == waiting || at[n] == held || at[n] == ended) && !isTelling[n] && !isRenewing[n] && !isEnding[n] && \
    !(isDue[n] && at[n] == held))
#define settled(p) (empty(wires[p]) && !mayBeLate[p] && (!runs(p) || every(p, isIdle)))

/* No call takes as long as a tick. */
proctype Clock() {
  byte m, p;
  do
  :: atomic {
      ticks < TICKS && settled(0) && settled(PROCESSES - 1) ->
      d_step {
      ticks++;
      for (m : 0 .. NAMES - 1) {
        if
        :: life[m] > 0 ->
          life[m]--;
          live = live - (life[m] == 0)
        :: else
        fi;
        localLife[m] = (localLife[m] > 0 -> localLife[m] - 1 : 0);
        isDue[m] = (at[m] == held && !isDead[OWNER(m)]);
        isCounted[m] = isCounted[m] && life[m] > 0
      }
      for (p : 0 .. PROCESSES - 1) {
        deadFor[p] = deadFor[p] + isDead[p]
      }
      m = 0;
      p = 0
      }
    }
  :: break
  od
}

#define isWell(p) (isDead[p] || (!isDown[p] && !isStalled[p]))

proctype World() {
  byte p, k;
  do
  :: atomic {
      select (p : 0 .. PROCESSES - 1);
      if
      :: faults < FAULTS && !isDown[p] -> faults++; cut(p)
      :: faults < FAULTS && runs(p) -> faults++; isStalled[p] = true
      :: faults < FAULTS && !isDead[p] ->
        faults++;
        isDead[p] = true;
        isStalled[p] = false;
        for (k : FIRST(p) .. LAST(p)) {
          isCounted[k] = false;
          isExtra[k] = false
        }
        k = 0
      :: isStalled[p] -> isStalled[p] = false
      :: isDown[p] && runs(p) ->
        /* models packages/core/src/stores/with-permits/renewals.ts: the listener of onReady */
        isDown[p] = false;
        for (k : FIRST(p) .. LAST(p)) {
          Outbox_keep(k)
        }
        k = 0;
        Outbox_sendAll(p)
      :: else
      fi;
      p = 0
    }
  /* Redis restarts without its data, and its clients notice. */
  :: atomic {
      faults < FAULTS ->
      faults++;
      for (p : 0 .. PROCESSES - 1) {
        cut(p)
      }
      p = 0;
      for (k : 0 .. NAMES - 1) {
        life[k] = 0;
        isCounted[k] = false
      }
      k = 0;
      live = 0
    }
  :: isWell(0) && isWell(PROCESSES - 1) -> break
  od
}

#if PROCESSES * REQUESTS == 4
#define sum(flags) (flags[0] + flags[1] + flags[2] + flags[3])
#define each(holds) (holds(0) && holds(1) && holds(2) && holds(3))
#elif PROCESSES * REQUESTS == 3
#define sum(flags) (flags[0] + flags[1] + flags[2])
#define each(holds) (holds(0) && holds(1) && holds(2))
#else
#define sum(flags) (flags[0] + flags[1])
#define each(holds) (holds(0) && holds(1))
#endif
#define extra(p) (isExtra[FIRST(p)] + (REQUESTS > 1) * isExtra[FIRST(p) + (REQUESTS > 1)] + (REQUESTS > 2) * isExtra[LAST(p)])

/* Requests that run by a permit of Redis that never lapsed fit the limit, and Redis has these permits. */
#define isKnown(n) (!isCounted[n] || life[n] > 0)
#define fits (sum(isCounted) <= LIMIT && each(isKnown))
/* A process gives at most its share itself. */
#define shares (extra(0) <= SHARE && extra(PROCESSES - 1) <= SHARE)
/* What a dead process held lapses within `hold`. */
#define isFree(n) (deadFor[OWNER(n)] < HOLD || life[n] == 0)

/* No request pauses while units are left that its own process has released. */
#define isBusy (len(wires[0]) > 0 || !every(0, isIdle))
#define isAwake(n) (PROCESSES > 1 || faults > 0 || at[n] != waiting || live >= LIMIT || isBusy)

/* When Redis has answered, it has the permits of what runs, and no others. */
#define isTrue(n) (isDead[OWNER(n)] || (life[n] > 0) == (at[n] == held))

#if examines(FITS)
active proctype Fits() {
end:
  atomic { !(fits) -> assert(fits) }
}
#endif

#if examines(SHARES)
active proctype Shares() {
end:
  atomic { !(shares) -> assert(shares) }
}
#endif

#if examines(LAPSES)
active proctype Lapses() {
end:
  atomic { !(each(isFree)) -> assert(each(isFree)) }
}
#endif

#if examines(AWAKE)
active proctype Awake() {
end:
  atomic { !(each(isAwake)) -> assert(each(isAwake)) }
}
#endif

#if examines(TRUE)
active proctype True() {
  timeout -> assert(each(isTrue))
}
#endif

init {
  byte n;
  atomic {
    for (n : 0 .. NAMES - 1) {
      run Request(OWNER(n), n);
      run Timers(OWNER(n), n)
    }
    for (n : 0 .. PROCESSES - 1) {
      run Connection(n)
    }
    n = 0;
    run Clock();
    run World()
  }
}
