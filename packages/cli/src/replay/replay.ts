// replay/ sends the requests of an access log through limits, and reports who would have been denied; kinds/ tells
// clients apart, and advice.ts proposes limits. Logged requests and limits enter, and a report leaves. It imports
// kinds/, logs, limits, charts, terminal, invocation and failure.
import { setFlagsFromString } from 'node:v8';
import { trustProxy, type ClientAddress, type ConfigError } from '@sluice/http';
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { readLimiters } from '../limits/limits.js';
import { decidedInOrder, Trial } from '../limits/trial.js';
import { formatOf } from '../logs/formats/formats.js';
import { Log } from '../logs/log.js';
import type { ExtraFields } from '../logs/lines/log-reader.js';
import { countOf, shareText } from '../terminal/figures.js';
import { adviceOf, NO_ADVICE } from './advice.js';
import type { KeyKind } from './clients.js';
import { Demand } from './demand.js';
import type { ReplayLimiter } from './limiter-stack.js';
import { reportOf } from './make-report.js';
import { printReport } from './print-report.js';
import { BELOW, proposedTiers } from './proposals.js';
import { isByRequest, type ReplayedRequest, type ReplayTier } from './replayed-request.js';
import type { Report } from './report.js';
import { chosenRequests, routesOf } from './chosen-requests.js';
import { triedTiers, type TriedTier } from './tried-tier.js';
import { Verdicts } from './verdicts.js';

interface ReplayOptions {
  readonly limits?: readonly string[];
  readonly against?: readonly string[];
  readonly limiter?: string;
  readonly format?: string;
  readonly key: string;
  readonly cost?: string;
  readonly proxies?: readonly string[];
  readonly only?: readonly string[];
  readonly without?: 'files';
  readonly propose?: number;
  readonly maxDenied?: number;
  readonly html?: string;
  readonly svg?: string;
  readonly anonymize?: boolean;
}

/** Whose limits are proposed without `--limits`. The numbers are where the search begins. */
const PROPOSED: ReplayLimiter = {
  tiers: ['1m', '1h'].map((window) => ({ name: window, limit: 1, window }) as ReplayTier),
};
/** More unreadable lines mean that the format is wrong, unless `--format` names it. */
const MAX_UNREADABLE = 0.9;
const PROGRESS_MS = 200;

/** Replays logs through limits, or through those that it proposes. Exits with 1 if they deny more than `--max-denied`. */
export async function replay(invocation: Invocation<ReplayOptions>): Promise<ExitCode> {
  const { options, terminal } = invocation;
  // A decision leaves garbage that dies at once, and Node 24 would give it 130 MB more: docs/benchmarks/tricks.md.
  setFlagsFromString('--semi-space-growth-factor=1');
  const report = await decidedInOrder(() => run(invocation));
  if (terminal.isJson) terminal.document(report);
  else printReport(report, terminal);
  await writeFiles(invocation, report);
  const { denied, spreadDenied = 0 } = report.candidate;
  const worst = Math.max(denied, spreadDenied) / Math.max(1, report.requests);
  if (options.maxDenied === undefined || worst <= options.maxDenied) return ExitCode.fine;
  terminal.note(`${shareText(worst)} denied is more than --max-denied ${shareText(options.maxDenied)}`);
  return ExitCode.found;
}

/** Writes what `--html` and `--svg` name. */
async function writeFiles({ options, terminal }: Invocation<ReplayOptions>, report: Report): Promise<void> {
  const { html, svg } = options;
  if (html === undefined && svg === undefined) return;
  const { writeText } = await import('../charts/write-text.js');
  if (html !== undefined) await writeText('--html', html, (await import('./html-report.js')).htmlReport(report));
  if (svg !== undefined) await writeText('--svg', svg, (await import('./curve-chart.js')).curvePicture(report));
  for (const file of [html, svg]) if (file !== undefined) terminal.note(`wrote ${file}`);
}

async function run(invocation: Invocation<ReplayOptions>): Promise<Report> {
  const { limits, against, limiter } = invocation.options;
  const read = (option: string, texts: readonly string[] | undefined) =>
    texts && readLimiters<ReplayedRequest>({ option, limiter }, texts);
  const candidate = await read('--limits', limits);
  const current = await read('--against', against);
  return replayLimiters(invocation, { candidate, current });
}

interface ReplayedLimiters {
  /** Undefined to look for limits. */
  readonly candidate: readonly ReplayLimiter[] | undefined;
  readonly current: readonly ReplayLimiter[] | undefined;
}

/** Replays the logs of the arguments through limiters. @throws Failure for logs that cannot be read */
export async function replayLimiters(
  invocation: Invocation<ReplayOptions>,
  { candidate, current }: ReplayedLimiters,
): Promise<Report> {
  const { options, terminal, signal } = invocation;
  const { kind, extra } = keyOf(options);
  const limiters = candidate ?? [PROPOSED];
  const all = [...limiters, ...(current ?? [])];
  const demand = new Demand({
    kind,
    lengths: all.flatMap(({ tiers }) => new Trial(tiers).tiers.map(({ window }) => window)),
    hasCosts: extra.cost !== undefined,
    hasDetails: all.flatMap(({ tiers }) => tiers).some(isByRequest),
    isSelected: await chosenRequests(options),
    routesOf: routesOf(all.map(({ routes }) => routes)),
  });
  const log = new Log({ format: options.format === undefined ? undefined : formatOf(options.format), extra });
  await readLog(invocation, log, demand);
  demand.measure();
  if (demand.selected.size === 0)
    throw usage(`no request of the log is one of --only ${(options.only ?? []).join(', ')}`);
  const below = options.propose ?? (candidate === undefined ? BELOW : undefined);
  if (below !== undefined) terminal.progress('looking for the lowest limits');
  const advised = limiters.map(({ tiers }, index) => ({ tiers, selection: demand.selectRoute(index) }));
  const isWithoutFiles = options.without === 'files';
  const advice =
    below === undefined
      ? NO_ADVICE
      : await adviceOf(demand, advised, { below: options.propose, signal, isWithoutFiles });
  const tried = candidate ?? [{ tiers: proposedTiers(PROPOSED.tiers, advice.proposals) }];
  const verdicts = new Verdicts(demand, { candidate: tried, current, isWholeSeconds: log.isWholeSeconds });
  terminal.progress('deciding');
  await verdicts.decide(signal);
  const triedOf: TriedTier[] = [];
  for (const [index, { tiers }] of tried.entries()) {
    triedOf.push(...(await triedTiers(tiers, advised[index]!.selection, signal)));
  }
  return reportOf(demand, verdicts, {
    log,
    key: options.key,
    tried: triedOf,
    advice,
    proposeBelow: below,
    isProposed: candidate === undefined,
    isAnonymous: options.anonymize === true,
    only: options.only ?? [],
    withoutFiles: isWithoutFiles,
  });
}

/** @throws Failure for a log that cannot be read, or without a client */
async function readLog(
  { args, options, terminal, signal }: Invocation<ReplayOptions>,
  log: Log,
  demand: Demand,
): Promise<void> {
  const started = performance.now();
  let shown = started;
  for await (const _ of log.read(args, (request) => demand.add(request))) {
    signal.throwIfAborted();
    if (demand.isFull) break;
    const now = performance.now();
    if (now - shown < PROGRESS_MS) continue;
    shown = now;
    const rate = (log.lines / (now - started)).toFixed(0);
    terminal.progress(`${log.lines.toLocaleString('en')} lines, ${rate} 000 a second`);
  }
  checkReadable(log, options.format !== undefined);
  if (demand.requests === 0) throw usage(`no request has the field of --key ${options.key}`);
}

function keyOf({ key, cost, proxies }: ReplayOptions): { readonly kind: KeyKind; readonly extra: ExtraFields } {
  const extra = {
    cost: cost === undefined ? undefined : fieldOf(cost),
    addressOf: proxies && clientAddress(proxies),
  };
  if (key === 'ip' || key === 'user') return { kind: key, extra };
  return { kind: 'field', extra: { ...extra, key: fieldOf(key) } };
}

/** @throws Failure for what is no address, no network and no name of networks */
function clientAddress(proxies: readonly string[]): ClientAddress {
  try {
    return trustProxy(proxies);
  } catch (error) {
    const { message } = error as ConfigError;
    throw usage(
      message.replace(/^rateLimit: trustProxy\[(\d+)\]/, (_, index) => `--proxies ${proxies[Number(index)]}:`),
    );
  }
}

/** `json:$.user.id`, `$.user.id` and `user.id` are one path; `$http_x_api_key` is a variable of nginx. */
function fieldOf(text: string): string {
  return text.replace(/^json:/, '').replace(/^\$\.?/, '');
}

/** @throws Failure for a log without requests, or one whose format was detected by a few lines that may lie */
function checkReadable({ lines, unreadable, firstUnreadable, lack, formats }: Log, isGiven: boolean): void {
  if (lines === 0) throw usage(lack ?? 'the log has no requests');
  if (unreadable / lines <= MAX_UNREADABLE || (isGiven && unreadable < lines)) return;
  if (lack !== undefined && unreadable === lines) throw usage(lack);
  const { at, text } = firstUnreadable!;
  const [format] = formats;
  const problem = `${shareText(unreadable / lines)} of ${countOf(lines, 'line')} cannot be read as ${formats.join(', ')}, the first at ${at}: ${text}`;
  if (unreadable === lines) throw usage(problem, 'Pass --format, such as the log_format of nginx.');
  throw usage(
    problem,
    `If these lines are no requests, pass --format ${format}; otherwise pass the format of the requests.`,
  );
}
