const MEMORY =
  'It is in the store in memory. A simulated process has one for outages alone, and no law is about what it counts.';
const SPEED = 'It costs calls, bytes or time, and changes no decision.';
const WORDS = 'It changes a message, an event, a metric or a page.';
const CLIENT = 'It needs ioredis or another client, and its sockets.';
const BEYOND = 'A run has less of it: hours, units, keys, ids or failures.';
const SHARES = 'It changes what processes get over seconds of a limit for which requests wait, and a run is shorter.';
const ALIVE = 'A simulated process ends when it is told to: nobody sees what would keep it alive.';
const TWICE = 'Another part of the product prevents what it would do: planted.mjs takes both away.';
const BILLING = 'No fleet has a billing service: stand-ins for these services judge what they are sent.';
const LATER = 'A timer does the same within a second, and the laws allow more.';
const AFTER = 'A run goes on after its processes have closed, so that calls in flight end.';
const INSTANT = 'It needs two events within a millisecond, and the laws allow for the way to Redis.';
const AGAIN = 'The next pass does what this one leaves out, and no key of a fleet is unreadable for good.';
const OPTION = 'No fleet has the option or makes the call that leads there.';

/**
 * Mutants of rooms that the simulation runs, which it cannot find: each with the reason. All others are its targets.
 *
 * @type {ReadonlyMap<string, string>}
 */
export const noTargets = new Map([
  ...because(MEMORY, [
    'a mark is reported again when the count rises to it again',
    'a mark of the window before keeps the next one silent',
    'a refund of another limit forgets which marks were told',
    'a balance pays where another tier denies that it does not cover',
    'a request that a balance pays is charged to the covered tiers too',
    'an id counts each time in memory',
    'a refund counts in the hour of the refund',
    'a full memory store evicts a balance',
    'a settlement in memory changes the hour of the settlement',
    'an export in memory gives an hour again that has not changed',
    'a caller above its share takes what another one waits for',
    'units stay free although no caller waits for them',
    'callers share a limit without their weights',
    'a caller that was denied is remembered for ever',
    'the wish of a caller stays when it is served',
    'a caller that was served takes the next unit before one that waits for longer',
    'a caller that never comes back keeps a unit free',
    'a full store forgets what runs',
    'lapsed units stay when a permit is charged',
    'usage in memory lies beside the key of a count',
    'the memory store takes milliseconds for microseconds',
    'a refund goes to the grant that was spent first',
    'a low balance is told again after each refund',
    'a repeated credit lets a balance be low again',
  ]),
  ...because(SPEED, [
    'a request takes a promise during an outage',
    'an export scans each hour',
    'a request that never fits is charged in other slots, and undone',
    'each process scans all keys each hour',
    'an export that is closed looks for usage to the end',
    'a made script for permits keeps those that have lapsed',
    'lapsed units stay when Lua charges a permit',
    'a request waits for the answer to a release before it asks',
    'a refused request is taken for one that Redis may have admitted',
    'each admission of a line is followed by a check that is denied',
    'a request pauses although its unit may have been released long since',
    'a burst of calls of a new script sends its text with each of them',
    'an open breaker sends calls',
    'a check takes the ends of permits along',
    'a fact is sent again after the store has heard it',
    'a request with limits of 0 alone asks the store',
    'all work in line sends a check after each denial',
    'the timer of a lease survives its release',
  ]),
  ...because(WORDS, [
    'an export is complete although its sink has failed',
    'a call lists no traced requests',
    'a balance is a key that must expire',
    'a row in Redis has no label',
    'the age of an export begins again with its process',
    'a lapsed permit is not reported',
    'an error shows the arguments of its command',
    'an error holds the random wait of ioredis',
    'a denial says of each tier that credits have ended',
    'a missing right opens the breaker',
  ]),
  ...because(CLIENT, [
    'a reply of another length is a decision',
    'a client without its database counts in database 0',
    'a replaced client of an endpoint is still heard',
    'a connection whose replies are out of step stays open',
    'the store looks for eviction once',
    'a prepared command loses the prefix of its client',
    'a connection is reset while it is replaced',
    'a silent connection of another client is never replaced',
    'a client queues requests while it is offline',
  ]),
  ...because(BEYOND, [
    'a batch takes more claims than one call may hold',
    'a credit in Redis has no bound',
    'a credit in Redis forgets the latest id for its own',
    'a balance in Redis that was used up once expires although it was credited',
    'usage in Redis never expires',
    'usage in Redis keeps its old hours',
    'an export does not wait for the grace of an hour',
    'an export that has lost its lock goes on',
    'a process exports nothing in its first hour',
    'an export that is closed waits for its sink without an end',
    'an export loses its lock while it looks for usage',
    'a made script for permits lets a key live on',
    'a store that closes gives its permits to requests that wait',
    'ends of permits are stored without a bound',
    'a settlement in Redis charges no more than the claim can say',
    'an export forgets usage of a clock that was ahead',
    'an export trusts a scan during which Redis has lost data',
  ]),
  ...because(SHARES, [
    'processes leave each other no units',
    'a made script forgets that others wait in the process that it admits',
    'the wish of a caller ends when one of its requests is admitted and others wait',
  ]),
  ...because(ALIVE, ['a timer of the deadline keeps the process alive']),
  ...because(TWICE, [
    'a process marks units of an hour that another process has marked since',
    'two processes export at the same time',
  ]),
  ...because(LATER, [
    'facts wait for a timer when Redis answers again',
    'a release is lost that comes while the first in line asks',
  ]),
  ...because(AFTER, ['a closed store leaves calls in flight']),
  ...because(BILLING, [
    'a meter of Stripe that adds each event gets each revision of an hour',
    'units that an hour had before are taken for billed',
    'a second row of an hour of a customer replaces the first at Stripe',
    'any refusal of Stripe counts as billed',
    'a message has the key of a billing service',
    'a late batch replaces newer rows of the table',
    'OpenMeter gets an event twice that it has confirmed',
    'changes that a process has left behind are never sent',
  ]),
  ...because(INSTANT, ['a grant is worth something at its end', 'a renewal needs the script in the server']),
  ...because(AGAIN, ['a balance that cannot be read keeps others from their postings']),
  ...because(OPTION, [
    'a debit in Redis takes more than a balance has',
    'a balance that splits pays all of a cost',
    'a balance in Redis that splits charges the tier nothing',
    'a row that a sink has kept counts as exported',
    'a kept row is given again each minute, for as long as it is kept',
    'two regions have rows of one id',
    'a settlement fails in Redis where a balance has no account',
    'a request that may not wait overtakes those that wait for a permit',
    'an attempt that lost to another process stays charged',
    'a request that does not wait drops the wishes that its call has changed',
    'a request that does not wait removes the wishes of those that do',
    'Redis reserves units for a caller that another tier denies',
    'work whose check fails is denied',
    'checks share a script whose balances cover tiers of other names',
    'a shadow tier is sent as an enforced one',
    'a record has the key of its tier',
    'inspect reads keys of several slots in one call',
    'stores on one client do not share names and denials',
    'an export does not scan again while version 0.2.0 counts',
    'a shadow tier that no balance covers lets a request never fit',
    'a balance in Redis pays for what a shadow tier denies',
    'a balance pays in another slot of a Cluster than the tier that it covers',
    'a batch has a row twice, where a scan finds its key twice',
    'the export of some tiers leaves out others',
    'a scan takes the name of a tier for a pattern',
    'an error of onNotice fails the request',
    'a caller that floods takes all places in line',
    'permits are renewed after their longest time',
    'the error of one key fails the renewals of all keys',
    'a reset leaves a pause that the store has not heard',
    'requests beyond the queue of a permit wait',
    'a request that finds the queue of a permit full takes the permit before those that wait',
    'each attempt of a request that waits for a permit is charged as a denied request',
    'a request that has waited in vain is not charged as a denied request',
    'a handler whose client has left keeps its permit for ever',
    'a handler whose client has left loses its permit before longest',
    'a request that never fits waits in line',
    'a limiter that closes ends the permits of others',
    'work of run is denied where the queue of its permit is full',
    'work in line waits for its turn after its signal has fired',
    'the timer of a queued request survives its client',
    'a credit whose reply was lost is not looked for',
    'a request over several slots that stores a text forgets who calls',
  ]),
]);

/** @param {string} reason @param {readonly string[]} names @returns {(readonly [string, string])[]} */
function because(reason, names) {
  return names.map((name) => [name, reason]);
}
