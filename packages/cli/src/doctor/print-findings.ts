import { bold, dim, green, red, yellow } from '../terminal/styled.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Finding, ServerFinding } from './checks/finding.js';
import { plural } from '../terminal/plural.js';

const MARKS = { fine: green('✓'), warning: yellow('!'), problem: red('✗'), unchecked: dim('?') };

/** A line for each finding, below the name of its server if there are several. */
export function printFindings(terminal: Terminal, findings: readonly ServerFinding[]): void {
  const names = new Set(findings.flatMap(({ server }) => server ?? []));
  let current: string | undefined;
  for (const { server, level, text, remedy } of findings) {
    if (names.size > 1 && server !== undefined && server !== current) terminal.print(bold(server));
    current = server;
    const arrow = remedy === undefined ? [] : ['  ', dim('→'), ` ${remedy}`];
    terminal.print(MARKS[level], ` ${text}`, ...arrow);
  }
}

/** `1 problem, 2 warnings`. */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((each) => each.level === level).length;
  const [problems, warnings, unchecked] = [count('problem'), count('warning'), count('unchecked')];
  const parts = [plural(problems, 'problem'), plural(warnings, 'warning')];
  return [...parts, ...(unchecked > 0 ? [`${unchecked} not checked`] : [])].join(', ');
}
