// checks/ has the checks of `sluice doctor`, one file for a check; this file is what a check returns. What the server
// reports of itself enters, and findings leave. It imports keys, sources and terminal.
import { shell } from '../../terminal/shell.js';

/** What a check of the doctor says of one point. */
export interface Finding {
  /** A name that stays the same, for scripts that read `--json`. */
  readonly check: string;
  /** `unchecked`: the user lacks a right, or the server does not know the command. */
  readonly level: 'fine' | 'warning' | 'problem' | 'unchecked';
  readonly text: string;
  /** A command to type, or what to change. */
  readonly remedy?: string;
}

/** A finding of a server, which may be one of several. */
export interface ServerFinding extends Finding {
  /** `host:port`. Undefined for a finding of the whole. */
  readonly server?: string | undefined;
}

export const fine = (check: string, text: string): Finding => ({ check, level: 'fine', text });

export const warning = (check: string, text: string, remedy: string): Finding => ({
  check,
  level: 'warning',
  text,
  remedy,
});

export const problem = (check: string, text: string, remedy: string): Finding => ({
  check,
  level: 'problem',
  text,
  remedy,
});

/** The finding of a check whose command the server refused. */
export function uncheckedOf(check: string, message: string, user: string): Finding {
  const [, command] = /has no permissions to run the '([^']+)' command/.exec(message) ?? [];
  const text = `${check} not checked: ${message}`;
  if (command === undefined) return { check, level: 'unchecked', text };
  return { check, level: 'unchecked', text, remedy: shell`redis-cli ACL SETUSER ${user} ${`+${command}`}` };
}
