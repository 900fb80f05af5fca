import { Command, Option } from 'commander';
import { action } from '../invocation/invocation.js';
import { duration } from './duration.js';
import { collect, ONE_LIMITER_HELP, LIMITS_HELP } from './limits-option.js';
import { wholeNumber } from './whole-number.js';

export function simulateCommand(): Command {
  return new Command('simulate')
    .summary('try a limit, a shedder or fair shares under a load')
    .description(
      'Runs limits under a described load on a virtual clock: what they admit and deny over time, the most that a window holds, and what a client gets that keeps the rate. Loads add up; clients:100 sends them from each of 100 clients. A file has on each line seconds since the start, and perhaps a client and a cost.',
    )
    .addOption(new Option('--limits <limits>', LIMITS_HELP).argParser(collect))
    .option(
      '--shed <setup>',
      'what a process can serve: "200/s target=50ms critical=30% normal=30% database=50ms connections=new accepts=one", or "200/s pool=10" with the connections that requests wait for; loads are times:5/10s',
    )
    .option(
      '--fair <setup>',
      'a limit in flight: "20 wait=2s work=50ms", with the options of the tier; loads are tenants: flood:40, quiet:1/300ms',
    )
    .addOption(new Option('--against <limits>', 'other limits to compare with, in the same form').argParser(collect))
    .option('--limiter <name>', ONE_LIMITER_HELP)
    .addOption(
      new Option(
        '--load <load>',
        'steady:10/s, bursts:50/1m, poisson:5/s, clients:100, or a file of requests; repeatable. workers:500 share one key, and come back in several ways',
      )
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--for <duration>',
        'time of the simulation (default: 10m, of --fair 10s, of workers at most 1h)',
      ).argParser(duration),
    )
    .addOption(new Option('--seed <number>', 'of random loads').argParser(wholeNumber(0, 2 ** 32 - 1)).default(1))
    .option('--svg <file>', 'write a picture')
    .option('--html <file>', 'write the picture and the figures as a page, one file without scripts')
    .addHelpText(
      'after',
      `
Examples:
  $ sluice simulate --limits 60/1m --load poisson:1/s
  $ sluice simulate --limits 100/1m --against "100/1m fixed-window" --load bursts:100/50s --svg bursts.svg
  $ sluice simulate --limits limits.yaml --limiter api --load clients:50 --load steady:2/s
  $ sluice simulate --limits 20/1s+300/1m --load steady:4/s --load bursts:40/1m --load clients:50 --for 30m
  $ sluice simulate --limits "100/1m token-bucket" --load workers:500
  $ sluice simulate --shed 200/s --load times:0.5/5s --load times:5/10s --load times:0.5/10s --html shed.html
  $ sluice simulate --fair "20 wait=2s" --load flood:40 --load b:8 --load c:8 --load quiet:1/300ms --svg shares.svg`,
    )
    .action(action(async () => (await import('../simulate/simulate.js')).simulateLoad));
}
