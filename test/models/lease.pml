/*
 * Units of one key that processes charge ahead and spend alone. Redis counts them in windows, of which WINDOWS follow each
 * other. A request of one tier spends a unit, or waits for a refill; one of two tiers reserves a unit until the other tier
 * has decided.
 *
 * At any moment the world may let units expire, end a window or close a lease, and FAULTS times lose a call or a reply, run a
 * call after its deadline, or kill a process.
 */
#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef PROCESSES
#define PROCESSES 2
#endif
#ifndef REQUESTS
#define REQUESTS 4
#endif
#ifndef LIMIT
#define LIMIT 2
#endif
#ifndef UNITS
#define UNITS 2
#endif
/* Requests of a process that run at the same time. */
#ifndef RUNNING
#define RUNNING 2
#endif
/* The claims. By default all are examined; with CLAIM one of them, and with EXCEPT all others. */
#define PAID 1
#define SMALL 2
#define EXACT 3
#define TOTAL 4
#define WINDOW 5
#define LEAKS 6
#ifndef CLAIM
#define CLAIM 0
#endif
#ifndef EXCEPT
#define EXCEPT 0
#endif
#define examines(claim) ((CLAIM == 0 && EXCEPT != claim) || CLAIM == claim)
#define WINDOWS 2
#define NOWHERE WINDOWS

byte requests = REQUESTS;

/* Redis. */
byte used, window, faults;

typedef LeasedKey {
  /* Units in hand and reserved, by the window that charged them. */
  byte grants[WINDOWS], reserved[WINDOWS];
  /* Units of the refill in flight, and those that requests wait for; its number. */
  byte refill, claimed, number;
  /* Its answer, until the process reads it: units, their window, and after a denial what is left. */
  bool isAnswered;
  byte granted, grantedIn, left;
  bool isRetired, isDead
}
LeasedKey keys[PROCESSES];
mtype = { consume, refund };
chan wires[PROCESSES] = [8] of { mtype, byte, byte };

/* What no process can see. Of the units that this window has charged: those that were spent, and those that a fault has cost. */
byte spent, lost;
/* What this window has admitted, and all windows. */
byte admitted, total;
/* Of the units that refills have charged: those that were neither spent nor given back. */
byte balance[PROCESSES];

#define inHand(p) (keys[p].grants[0] + keys[p].grants[1])
#define isReserved(p) (keys[p].reserved[0] + keys[p].reserved[1])

/* What a window has room for. */
#define fits(units) (used + units <= LIMIT)

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
    left = LIMIT - used
  fi
}

/* models packages/core/src/algorithms/fixed-window/fixed-window.lua */
inline fixed_window_refund(units, until) {
  if
  :: until == window && used >= units -> used = used - units
  :: until == window && used < units -> used = 0
  :: else
  fi
}

/* models packages/core/src/stores/with-lease/with-lease.ts */
inline LeaseLayer_giveBack(p, units, since) {
#if examines(PAID)
  assert(balance[p] >= units);
#endif
  balance[p] = balance[p] - units;
  wires[p]!refund, units, since
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_reserve(p) {
  from = NOWHERE;
  if
  :: keys[p].grants[0] > 0 -> from = 0
  :: keys[p].grants[1] > 0 -> from = 1
  :: inHand(p) == 0
  fi;
  if
  :: from != NOWHERE -> keys[p].grants[from]--; keys[p].reserved[from]++
  :: else
  fi
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_confirm(p) {
  keys[p].reserved[from]--;
#if examines(PAID)
  assert(balance[p] > 0);
#endif
  balance[p]--;
  spent = spent + (from == window);
  admitted++;
  total++;
  from = NOWHERE
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_release(p) {
  keys[p].reserved[from]--;
  if
  :: !keys[p].isRetired -> keys[p].grants[from]++
  /* It is retired, or the grant has expired. */
  :: LeaseLayer_giveBack(p, 1, from)
  fi;
  from = NOWHERE
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_spend(p) {
  LeasedKey_reserve(p);
  if
  :: from != NOWHERE -> LeasedKey_confirm(p); isServed = true
  :: else
  fi
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_startRefill(p) {
  if
  :: keys[p].refill == 0 && !keys[p].isRetired && inHand(p) + isReserved(p) < UNITS ->
    if
    :: keys[p].refill = UNITS - inHand(p) - isReserved(p)
    :: keys[p].refill = 1
    fi;
    keys[p].number = 1 - keys[p].number;
    keys[p].claimed = 0;
    wires[p]!consume, keys[p].refill, keys[p].number
  /* Enough are left, or the demand is too small. */
  :: true
  fi
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_joinRefill(p) {
  if
  :: keys[p].refill > keys[p].claimed ->
    keys[p].claimed++;
    waitsFor = keys[p].number;
    isWaiting = true
  :: else
  fi
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_receive(p) {
  keys[p].refill = 0;
  if
  :: keys[p].isRetired && keys[p].granted > 0 -> LeaseLayer_giveBack(p, keys[p].granted, keys[p].grantedIn)
  :: else -> keys[p].grants[keys[p].grantedIn] = keys[p].grants[keys[p].grantedIn] + keys[p].granted
  fi
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_abandon(p) {
  keys[p].refill = 0
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_takeExpired(p, since) {
  if
  :: keys[p].grants[since] > 0 ->
    LeaseLayer_giveBack(p, keys[p].grants[since], since);
    keys[p].grants[since] = 0
  :: else
  fi
}

/* models packages/core/src/stores/with-lease/leased-key.ts */
inline LeasedKey_retire(p) {
  keys[p].isRetired = true;
  LeasedKey_takeExpired(p, 0);
  LeasedKey_takeExpired(p, 1)
}

/* models packages/core/src/stores/with-lease/with-lease.ts: what the store answers to a refill */
inline LeaseLayer_charge(p) {
  if
  :: keys[p].granted == 0 && keys[p].left > 0 ->
    /* As many as there are. */
    keys[p].refill = keys[p].left;
    wires[p]!consume, keys[p].left, keys[p].number
  :: else -> LeasedKey_receive(p)
  fi;
  keys[p].isAnswered = false;
  keys[p].granted = 0;
  keys[p].grantedIn = 0;
  keys[p].left = 0
}

/* models packages/redis/src/script-store.ts: a request that no lease serves */
inline ScriptStore_consume() {
  if
  :: fits(1) -> used++; spent++; admitted++; total++
  :: else
  fi
}

/* models packages/core/src/stores/with-lease/with-lease.ts */
inline LeaseLayer_consumeOne(p) {
  atomic {
    isServed = false;
    isWaiting = false;
    LeasedKey_spend(p);
    if
    :: isServed
    :: else ->
      LeasedKey_joinRefill(p);
      if
      :: isWaiting
      :: else -> ScriptStore_consume()
      fi
    fi;
    LeasedKey_startRefill(p)
  }
  if
  :: isWaiting ->
    atomic {
      keys[p].refill == 0 || keys[p].number != waitsFor;
      LeasedKey_spend(p);
      if
      :: isServed
      :: else -> ScriptStore_consume()
      fi;
      isWaiting = false;
      waitsFor = 0
    }
  :: else
  fi;
  isServed = false
}

/* models packages/core/src/stores/with-lease/with-lease.ts */
inline LeaseLayer_consumeTogether(p) {
  atomic {
    LeasedKey_reserve(p);
    LeasedKey_startRefill(p)
  }
  if
  :: from == NOWHERE
  /* The other tiers admit, or they deny or fail. */
  :: atomic { from != NOWHERE -> LeasedKey_confirm(p) }
  :: atomic { from != NOWHERE -> LeasedKey_release(p) }
  fi
}

proctype Request(byte p) {
  byte from = NOWHERE, waitsFor;
  bool isServed, isWaiting;
  {
    do
    :: atomic { requests > 0 -> requests-- }
      if
      :: LeaseLayer_consumeOne(p)
      :: LeaseLayer_consumeTogether(p)
      fi
    od
  } unless { keys[p].isDead }
}

/* Units expire far later than a call takes. */
#define hasRoom(p) (len(wires[p]) < 2)

/* The timers of a process: units expire, the lease is closed, a refill is too late. */
proctype Timers(byte p) {
  {
    do
    :: atomic { keys[p].grants[0] > 0 && hasRoom(p) -> LeasedKey_takeExpired(p, 0) }
    :: atomic { keys[p].grants[1] > 0 && hasRoom(p) -> LeasedKey_takeExpired(p, 1) }
    :: atomic { !keys[p].isRetired -> LeasedKey_retire(p) }
    :: atomic { keys[p].isAnswered -> LeaseLayer_charge(p) }
    :: atomic { keys[p].refill > 0 && !keys[p].isAnswered && empty(wires[p]) -> LeasedKey_abandon(p) }
    :: atomic { faults < FAULTS && keys[p].refill > 0 && !keys[p].isAnswered && nempty(wires[p]) -> faults++; LeasedKey_abandon(p) }
    od
  } unless { keys[p].isDead }
}

proctype Connection(byte p) {
  byte units, since, granted, left;
end:
  do
  :: atomic {
      wires[p]?consume, units, since ->
      consume_group(p, units);
      if
      :: keys[p].refill > 0 && keys[p].number == since && !keys[p].isAnswered && !keys[p].isDead ->
        keys[p].isAnswered = true;
        keys[p].granted = granted;
        keys[p].grantedIn = (granted > 0 -> window : 0);
        keys[p].left = left
      :: faults < FAULTS -> faults++; lost = lost + granted
      /* The reply is too late. */
      :: keys[p].refill == 0 || keys[p].number != since || keys[p].isDead -> lost = lost + granted
      fi;
      granted = 0;
      left = 0;
      units = 0;
      since = 0
    }
  :: atomic { wires[p]?refund, units, since -> fixed_window_refund(units, since); units = 0; since = 0 }
  :: atomic { faults < FAULTS && wires[p]?[consume, _, _] -> faults++; wires[p]?consume, _, _ }
  :: atomic {
      faults < FAULTS && wires[p]?[refund, _, _] ->
      faults++;
      wires[p]?refund, units, since;
      lost = lost + (since == window -> units : 0);
      units = 0;
      since = 0
    }
  od
}

proctype World() {
  byte p;
  do
  :: atomic { window + 1 < WINDOWS -> window++; used = 0; spent = 0; lost = 0; admitted = 0 }
  :: atomic {
      faults < FAULTS ->
      select (p : 0 .. PROCESSES - 1);
      faults++;
      keys[p].isDead = true;
      p = 0
    }
  :: break
  od
}

#define holds(p) (keys[p].grants[window] + keys[p].reserved[window])
#if PROCESSES == 1
#define each(check) check(0)
#define sum(value) value(0)
#else
#define each(check) (check(0) && check(1))
#define sum(value) (value(0) + value(1))
#endif

/* A process has no more units than refills have charged for it: spent, given back, reserved and in hand. */
#define isPaid(p) (isReserved(p) + inHand(p) <= balance[p])
/* It never has more than `units`, so a crash costs no more. */
#define isSmall(p) (inHand(p) + isReserved(p) + keys[p].refill <= UNITS)
/* Redis counts each unit of this window that is spent or in hand. */
#define isExact (used >= spent + sum(holds))
/* All windows together admit no more than their limits. */
#define isTotal (total <= LIMIT * (window + 1))
/* One window admits no more than the guide says. */
#define isWindow (admitted <= LIMIT + PROCESSES * UNITS)
/* At the end Redis counts what was spent, what is in hand, what lost calls have cost, and `units` for each crash. */
#define rests(p) (keys[p].isDead -> UNITS : holds(p))
#define isTight (used <= spent + lost + sum(rests))

#if examines(PAID)
active proctype Paid() {
end:
  atomic { !(each(isPaid)) -> assert(each(isPaid)) }
}
#endif

#if examines(SMALL)
active proctype Small() {
end:
  atomic { !(each(isSmall)) -> assert(each(isSmall)) }
}
#endif

#if examines(EXACT)
active proctype Exact() {
end:
  atomic { !(isExact) -> assert(isExact) }
}
#endif

#if examines(TOTAL)
active proctype Total() {
end:
  atomic { !(isTotal) -> assert(isTotal) }
}
#endif

#if examines(WINDOW)
active proctype Window() {
end:
  atomic { !(isWindow) -> assert(isWindow) }
}
#endif

#if examines(LEAKS)
active proctype Leaks() {
  timeout -> assert(isTight)
}
#endif

init {
  byte p;
  atomic {
    for (p : 0 .. PROCESSES - 1) {
      run Request(p);
      if
      :: RUNNING > 1 -> run Request(p)
      :: else
      fi;
      run Timers(p);
      run Connection(p)
    }
    p = 0;
    run World()
  }
}
