import type { FleetProcess, FleetState } from '@sluice/policies';
import { changesOf, type Change, type PolicyDocument } from '@sluice/policies/operations';
import { countOf } from '../terminal/figures.js';
import { documentIn } from './policies-source.js';

const SHA_LENGTH = 12;

/** What a text would change, as far as that is known. */
export interface Comparison {
  readonly changes: readonly Change[];
  /** False where Redis has no text, and the processes have another one. */
  readonly isKnown: boolean;
  /** What the changes do not say. */
  readonly notes: readonly string[];
}

interface Compared {
  readonly state: FleetState;
  readonly processes: readonly FleetProcess[];
  readonly document: PolicyDocument<never>;
}

/** Compares a text with the one in Redis. Before the first version, with that of the processes, which tell its SHA-256. */
export function comparison({ state, processes, document }: Compared): Comparison {
  const { version } = state;
  if (version > 0) {
    const changes = changesOf(documentIn(state), document);
    return { changes, isKnown: true, notes: behindNotes(version, processes) };
  }
  const texts = [...new Set(processes.map(({ sha }) => sha))];
  const all = countOf(processes.length, 'process', 'processes');
  if (texts.length === 1 && texts[0] === document.source.sha) {
    return { changes: [], isKnown: true, notes: [`no limit and no count changes: ${all}, with this text already`] };
  }
  return { changes: changesOf(undefined, document), isKnown: false, notes: [unknownNote(all, texts)] };
}

function unknownNote(all: string, texts: readonly string[]): string {
  if (texts.length === 0) return 'what it changes is not known: no process has said which text it has';
  const shas = texts.map(shortSha).join(', ');
  return `what it changes is not known: ${all} with the text ${shas}; apply the file that they have first, and this one after it`;
}

function behindNotes(version: number, processes: readonly FleetProcess[]): readonly string[] {
  const behind = processes.filter((each) => each.version !== version).length;
  if (behind === 0) return [];
  return [
    `${behind} of ${countOf(processes.length, 'process', 'processes')} without v${version}: sluice policies status says why`,
  ];
}

/** The beginning of a SHA-256, for people. */
export function shortSha(sha: string): string {
  return sha.slice(0, SHA_LENGTH);
}
