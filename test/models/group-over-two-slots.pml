/*
 * Requests that are charged in two slots of a Cluster, which no script can decide together. Both slots are charged; if one
 * denies or fails, the other is undone. Both slots count in fixed windows; with QUEUE slot 1 is a queue.
 *
 * At any moment the world may end a window, and FAULTS times lose a call or a reply, run a call after its deadline, or kill a
 * process.
 */
#ifndef REQUESTS
#define REQUESTS 3
#endif
#define MOST 3
#ifndef FAULTS
#define FAULTS 2
#endif
/* The claims. By default all are examined; with CLAIM one of them, and with EXCEPT all others. */
#define EXACT 1
#define PAID 2
#define CLEAN 3
#ifndef CLAIM
#define CLAIM 0
#endif
#ifndef EXCEPT
#define EXCEPT 0
#endif
#define examines(claim) ((CLAIM == 0 && EXCEPT != claim) || CLAIM == claim)
#define SLOTS 2
#define WINDOWS 2
#ifdef QUEUE
#define LIMIT(s) (s == 0 -> 1 : 2)
#else
#define LIMIT(s) (s == 0 -> 2 : 1)
#endif

mtype = { none, sent, admits, denies, fails };
mtype = { undecided, admitted, denied, failed };
mtype = { consume, undo };

typedef Part {
  mtype answer = none;
  /* The receipt: which window was charged, and which place of a queue. */
  byte window, place;
  /* What no process can see: the charge, its window, and whether a call or reply was lost. */
  bool isCharged, isLost;
  byte chargedIn
}
typedef Request {
  Part part[SLOTS];
  mtype decision = undecided;
  bool isDead
}
Request requests[MOST];
byte used[SLOTS], window[SLOTS], faults;
/* The calls of one request to one slot arrive in their order, the calls of two requests in any. */
chan wires[REQUESTS * SLOTS] = [4] of { mtype, byte, byte };

#define PART(r, s) requests[r].part[s]
#define WIRE(r, s) wires[(r) * SLOTS + (s)]

/* models packages/core/src/algorithms/group.lua */
inline consume_group(r, s) {
  if
  :: used[s] < LIMIT(s) ->
    used[s]++;
    PART(r, s).isCharged = true;
    PART(r, s).chargedIn = window[s];
    reply = admits
  :: else -> reply = denies
  fi
}

/* models packages/core/src/algorithms/fixed-window/fixed-window.lua */
inline fixed_window_refund(r, s, until) {
  if
  :: until == window[s] && used[s] > 0 -> used[s]--
  :: else
  fi;
  /* What no process can see: the charge stands no longer. */
  PART(r, s).isCharged = PART(r, s).isCharged && PART(r, s).chargedIn != until
}

/* models packages/core/src/algorithms/leaky-bucket/leaky-bucket.lua */
inline leaky_bucket_refund(r, s, until, place) {
  if
  :: place == used[s] -> fixed_window_refund(r, s, until)
  :: else
  fi
}

/* models packages/core/src/model/receipt.ts */
inline undoOf(r, s) {
  if
  :: PART(r, s).answer == admits -> WIRE(r, s)!undo, PART(r, s).window, PART(r, s).place
  :: else
  fi
}

/* models packages/redis/src/cluster.ts */
inline consumeTogether(r, first, last) {
  atomic {
    PART(r, first).answer = sent;
    WIRE(r, first)!consume, 0, 0;
    if
    :: first != last ->
      PART(r, last).answer = sent;
      WIRE(r, last)!consume, 0, 0
    :: else
    fi
  }
  atomic {
    PART(r, first).answer != sent && PART(r, last).answer != sent;
    if
    :: PART(r, first).answer == fails || PART(r, last).answer == fails ->
      undoOf(r, first);
      if
      :: first != last -> undoOf(r, last)
      :: else
      fi;
      requests[r].decision = failed
    :: else
    fi
  }
}

/* models packages/core/src/model/outcome.ts */
inline isAdmitted(r) {
  PART(r, 0).answer != denies && PART(r, 1).answer != denies
}

/* models packages/redis/src/cluster.ts */
inline consumeParts(r) {
#ifdef QUEUE
  consumeTogether(r, 0, 0);
  if
  :: requests[r].decision == undecided && PART(r, 0).answer == admits ->
    consumeTogether(r, 1, 1);
    if
    :: atomic { requests[r].decision == failed -> undoOf(r, 0) }
    :: else
    fi
  :: else
  fi
#else
  consumeTogether(r, 0, 1)
#endif
}

/* models packages/redis/src/cluster.ts */
inline compensate(r) {
  undoOf(r, 0);
  undoOf(r, 1)
}

/* models packages/redis/src/cluster.ts */
inline consumeAcrossTags(r) {
  consumeParts(r);
  if
  :: requests[r].decision == failed
  :: else ->
    if
    :: isAdmitted(r) -> requests[r].decision = admitted
    :: else -> atomic { requests[r].decision = denied; compensate(r) }
    fi
  fi
}

proctype Process(byte r) {
  { consumeAcrossTags(r) } unless { requests[r].isDead }
}

/* Between one request and one slot. */
proctype Network(byte r; byte s) {
  mtype reply;
  byte until, place;
end:
  do
  :: atomic {
      WIRE(r, s)?consume, _, _ ->
      consume_group(r, s);
      if
      :: PART(r, s).answer == sent ->
        PART(r, s).answer = reply;
        PART(r, s).window = window[s];
        PART(r, s).place = used[s]
      :: faults < FAULTS -> faults++; PART(r, s).isLost = true
      :: PART(r, s).answer != sent
      fi;
      reply = 0
    }
  :: atomic {
      WIRE(r, s)?undo, until, place ->
#ifdef QUEUE
      if
      :: s == 1 -> leaky_bucket_refund(r, s, until, place)
      :: else -> fixed_window_refund(r, s, until)
      fi;
#else
      fixed_window_refund(r, s, until);
#endif
      until = 0;
      place = 0
    }
  :: atomic { faults < FAULTS && nempty(WIRE(r, s)) -> faults++; WIRE(r, s)?_, _, _; PART(r, s).isLost = true }
  /* The deadline of a call that was lost, or that may still run. */
  :: atomic { PART(r, s).answer == sent && PART(r, s).isLost -> PART(r, s).answer = fails }
  :: atomic {
      faults < FAULTS && PART(r, s).answer == sent && !PART(r, s).isLost ->
      faults++;
      PART(r, s).answer = fails;
      PART(r, s).isLost = true
    }
  od
}

proctype World() {
  byte r;
  do
  :: atomic { window[0] + 1 < WINDOWS -> window[0]++; used[0] = 0 }
  :: atomic { window[1] + 1 < WINDOWS -> window[1]++; used[1] = 0 }
  :: atomic {
      faults < FAULTS ->
      select (r : 0 .. REQUESTS - 1);
      if
      :: requests[r].decision == undecided && !requests[r].isDead -> faults++; requests[r].isDead = true
      :: else
      fi;
      r = 0
    }
  :: break
  od
}

#define counts(r, s) (PART(r, s).isCharged && PART(r, s).chargedIn == window[s])
#define charges(s) (counts(0, s) + counts(1, s) + counts(2, s))

/* A slot counts each charge that stands, once: none is lost, none is counted or given back twice. */
#define exact(s) (used[s] == charges(s) && used[s] <= LIMIT(s))
/* An admitted request has been charged in both slots. */
#define paid(r) (requests[r].decision != admitted || (PART(r, 0).isCharged && PART(r, 1).isCharged))
/* At the end a request that is not admitted has a charge only in a slot that it has lost a call to. */
#define clean(r, s) (requests[r].decision == admitted || requests[r].isDead || !counts(r, s) || PART(r, s).isLost)
#define isClean(r) (clean(r, 0) && clean(r, 1))

#if examines(EXACT)
active proctype Exact() {
end:
  atomic { !(exact(0) && exact(1)) -> assert(exact(0) && exact(1)) }
}
#endif

#if examines(PAID)
active proctype Paid() {
end:
  atomic { !(paid(0) && paid(1) && paid(2)) -> assert(paid(0) && paid(1) && paid(2)) }
}
#endif

#if examines(CLEAN)
active proctype Clean() {
  timeout -> assert(isClean(0) && isClean(1) && isClean(2))
}
#endif

init {
  byte r;
  atomic {
    for (r : 0 .. REQUESTS - 1) {
      run Process(r);
      run Network(r, 0);
      run Network(r, 1)
    }
    r = 0;
    run World()
  }
}
