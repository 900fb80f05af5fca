// commands/ declares the options and help of each command, one file for a command. Arguments enter, and the room of the
// command is loaded when it runs. It imports the folders of all commands, and invocation.
import { Command } from 'commander';

/** A command that reads the dashboard of a running application. */
export function liveCommand(name: string): Command {
  return new Command(name).requiredOption(
    '--url <address>',
    'address of the dashboard, with its token if it has one: http://localhost:3000/sluice',
  );
}

/** Where the credentials of a dashboard come from. */
export const CREDENTIALS =
  'SLUICE_DASHBOARD_AUTHORIZATION is sent as the Authorization header; without an authorize function pass the link that the application prints.';
