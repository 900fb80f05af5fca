import { readFile } from 'node:fs/promises';
import { withValue } from '@sluice/policies/operations';
import { usage } from '../failure/failure.js';
import type { ExitCode } from '../failure/exit-code.js';
import type { Invocation } from '../invocation/invocation.js';
import { documentOf, withPolicies, type ApplyOptions } from './policies-source.js';
import { putInForce } from './put-in-force.js';
import { replayed } from './replayed-policies.js';

/** Puts a file, or changed values, in force in all processes. */
export async function apply(invocation: Invocation<ApplyOptions>): Promise<ExitCode> {
  const { args, options, terminal } = invocation;
  return withPolicies(options, async (policies, source) => {
    const state = await policies.read();
    const [file] = args;
    const { name, text } = await textOf(file, state.text?.text, options.set);
    const document = documentOf(name, text);
    const beforeQuestion = options.replay && (() => replayed(invocation, { state, document }));
    const wanted = { ...options, document, ...(beforeQuestion && { beforeQuestion }) };
    return putInForce({ policies, source, state, terminal }, wanted);
  });
}

/** The text of a file, else the one in force, with changed values. @throws Failure */
export async function textOf(file: string | undefined, inForce: string | undefined, set: readonly string[] = []) {
  if (file === undefined && inForce === undefined) throw usage('nothing is applied yet: name a file');
  if (file === undefined && set.length === 0) throw usage('name a file, or a value to change with --set');
  const text = file === undefined ? inForce! : await fileText(file);
  return { name: file ?? '--set', text: set.reduce(withValue, text) };
}

async function fileText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usage(`${file} cannot be read: ${(error as Error).message}`);
  }
}
