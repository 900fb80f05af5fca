import { Command, Option } from 'commander';
import { action } from '../invocation/invocation.js';
import { FORMAT_NAMES } from '../logs/formats/format-names.js';
import { LIMITER_HELP, LIMITS_HELP, collect, collectWords, share } from './limits-option.js';

export function replayCommand(): Command {
  return new Command('replay')
    .summary('find the limits that fit an access log, and the clients that they deny')
    .description(
      'Replays access logs through limits, at the time of the log, and reports which requests and clients the limits would deny, and how many of these are people. Without --limits it reports whose traffic the log has, and proposes limits for a minute and for an hour. It reads gzip, several files, and stdin as "-".',
    )
    .argument('<logs...>', 'access logs, in any order')
    .addOption(new Option('--limits <limits>', `${LIMITS_HELP} (default: those that it proposes)`).argParser(collect))
    .addOption(new Option('--against <limits>', 'current limits to compare with, in the same form').argParser(collect))
    .option('--limiter <name>', LIMITER_HELP)
    .addOption(
      new Option(
        '--only <route>',
        'try limits on these requests alone: a path such as "/api/*", or a method and a path such as "POST /login"; repeatable',
      ).argParser(collect),
    )
    .addOption(
      new Option(
        '--without <what>',
        'leave out what your limiter does not see: style sheets, scripts, pictures and fonts that nginx or a CDN serves',
      ).choices(['files']),
    )
    .option('--format <format>', `${FORMAT_NAMES.join(', ')}, or a log_format (default: by first lines)`)
    .option('--key <key>', 'what identifies a client: ip, user, a column, or json:$.path', 'ip')
    .addOption(
      new Option(
        '--proxies <networks>',
        'addresses and networks of your proxies, or loopback, uniquelocal: the client is the last other address in X-Forwarded-For, as byIp() finds it behind them; repeatable',
      ).argParser(collectWords),
    )
    .option('--cost <field>', 'column or json:$.path with the units of a request (default: 1 each)')
    .addOption(
      new Option(
        '--propose <share>',
        'propose a limit that denies less than this share of people (default: 0.1%, without --limits)',
      ).argParser(share),
    )
    .addOption(
      new Option('--max-denied <share>', 'exit with 1 if the limits deny more than this share').argParser(share),
    )
    .option('--html <file>', 'write a report with pictures, one file without scripts')
    .option('--svg <file>', 'write a picture of whom limits deny, from low to high ones')
    .option('--anonymize', 'number clients instead of naming them')
    .addHelpText(
      'after',
      `
Examples:
  $ sluice replay access.log
  $ sluice replay access.log --limits 300/1m
  $ sluice replay access.log.*.gz --limits 300/1m --against 600/1m --html report.html
  $ zcat access.log.gz | sluice replay - --limits "100/1m token-bucket burst=20" --max-denied 0.5%
  $ sluice replay access.log --without files
  $ sluice replay access.log --only "POST /login" --limits 5/1m
  $ sluice replay access.log --limits 300/1m --propose 0.1%
  $ sluice replay access.log --limits 300/1m --proxies 10.0.0.0/8
  $ sluice replay app.json --limits limits.mjs --key json:$.user.id --cost json:$.tokens`,
    )
    .action(action(async () => (await import('../replay/replay.js')).replay));
}
