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
