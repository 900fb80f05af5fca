import { Argument, Command, Option } from 'commander';
import { wholeNumber } from './whole-number.js';

/** A command about one client, with its arguments and options. @param isOptional the command can do without a client */
export function clientCommand(name: string, isOptional = false): Command {
  const [kind, value] = isOptional ? ['[kind]', '[value...]'] : ['<kind>', '<value...>'];
  return new Command(name)
    .addArgument(
      new Argument(
        kind,
        'kind of the identity: ip, api-key, jwt-subject, header, session, composed, the kind of by(kind, ...), key for the plain strings of a key function, or digest for 8 to 22 characters of the digest in its keys',
      ),
    )
    .argument(value, 'the identity; - reads it from stdin, so that no other user sees it')
    .option('--config <file>', 'module that exports the store of the limiters (default: sluice.config.js)')
    .addOption(
      new Option('--tier <name>', 'tier to read; repeat it for several (default: all with a state)').argParser(append),
    )
    .option('--partition <identity>', 'partition of the client, as KIND:VALUE or a plain string');
}

export const costOption = () =>
  new Option('--cost <units>', 'units of the next request (default: 1)').argParser(wholeNumber(0));

export const limitOption = () =>
  new Option(
    '--limit <units>',
    'limit of this client, for limits by a function and for limits that plans differ in',
  ).argParser(wholeNumber(0));

export const planOption = () =>
  new Option('--plan <name>', 'plan of this client, for limits by plan (default: a row for each plan)');

function append(name: string, names: readonly string[] = []): readonly string[] {
  return [...names, name];
}
