import type { SiteRequest, TrueClient } from './site.js';
import type { LogForm } from './written-log.js';

const SECOND = 1_000;

/** `17/Jan/2026:08:00:00`, with what may follow the second. */
function clock(time: number, fraction = ''): string {
  const [, day, month, year, of] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(time).toUTCString())!;
  return `${day}/${month}/${year}:${of}${fraction}`;
}

/** `combined` of nginx and Apache. @param time in milliseconds since 1970 */
export function combinedLine(request: SiteRequest, time: number, from = request.client.name): string {
  const { method, url, status, agent } = request;
  return `${from} - - [${clock(time)} +0000] "${method} ${url} HTTP/1.1" ${status} 512 "-" "${agent || '-'}"`;
}

const wholeSecond = (time: number) => Math.floor(time / SECOND) * SECOND;

/** A line that was cut off when the disk was full. */
const CUT = (time: number) => `198.51.100.1 - - [${clock(time)}`;
const NGINX_ERROR = (time: number) =>
  `${new Date(time).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ')} [error] 29#29: *71 open() "/srv/favicon.ico" failed (2: No such file or directory), client: 198.51.100.1, server: localhost, request: "GET /favicon.ico HTTP/1.1", host: "www.example.com"`;

/** nginx writes the time of the response. */
export const NGINX: LogForm = {
  lines: (request) => [[request.ended, combinedLine(request, request.ended)]],
  timeOf: ({ ended }) => wholeSecond(ended),
  others: [['unreadable', CUT]],
};

/** Apache writes the time of the request, when it has answered. */
const APACHE: LogForm = {
  lines: (request) => [[request.ended, combinedLine(request, request.arrived)]],
  timeOf: ({ arrived }) => wholeSecond(arrived),
  others: [
    ['unreadable', (time) => `[${new Date(time).toUTCString()}] [core:error] [pid 12] AH00126: Invalid URI in request`],
  ],
};

export const APACHE_VIRTUAL_HOSTS: LogForm = {
  ...APACHE,
  lines: (request) => [[request.ended, `www.example.com:443 ${combinedLine(request, request.arrived)}`]],
};

/** A balancer of a private network, of which some have names of their own: they check the server. */
const isBalancer = ({ name }: TrueClient) => name.startsWith('10.');
/** Some clients send a header of their own, to which the balancer adds. */
const claimed = (id: number) => (id % 5 === 0 ? '192.0.2.77, ' : '');

/** The format of nginx.org behind a balancer, which checks the server itself. */
export const NGINX_BEHIND_BALANCER: LogForm = {
  ...NGINX,
  lines: (request) => {
    const { client, ended, id } = request;
    const [peer, header] = isBalancer(client)
      ? [client.name, '-']
      : [`10.0.0.${7 + (id % 3)}`, `${claimed(id)}${client.name}`];
    return [[ended, `${combinedLine(request, ended, peer)} "${header}"`]];
  },
};

/** Apache with `%{X-Forwarded-For}i` in the place of the address, behind a CDN and a balancer. */
export const APACHE_FORWARDED_FIRST: LogForm = {
  ...APACHE,
  lines: (request) => {
    const { client, arrived, ended, id } = request;
    return [[ended, combinedLine(request, arrived, `${claimed(id)}${client.name}, 10.0.0.${7 + (id % 3)}`)]];
  },
  others: [
    ['unidentified', (time) => `- - - [${clock(time)} +0000] "GET /health HTTP/1.1" 200 2 "-" "kube-probe/1.31"`],
    ['unreadable', CUT],
  ],
};

/** Kubernetes: nginx writes its log and its errors, and each line has the time of the container. */
export const CRI: LogForm = {
  ...NGINX,
  lines: (request) => [
    [
      request.ended,
      `${new Date(request.ended).toISOString().slice(0, -1)}123456Z stdout F ${combinedLine(request, request.ended)}`,
    ],
  ],
  others: [
    ['unreadable', (time) => `${new Date(time).toISOString().slice(0, -1)}000001Z stderr F ${NGINX_ERROR(time)}`],
    [
      'unreadable',
      (time) =>
        `${new Date(time).toISOString().slice(0, -1)}000001Z stdout F /docker-entrypoint.sh: Configuration complete`,
    ],
  ],
};

/** docker compose, where other services write between the lines. */
export const COMPOSE: LogForm = {
  ...NGINX,
  lines: (request) => [[request.ended, `web-1    | ${combinedLine(request, request.ended)}`]],
  others: [
    ['unreadable', (time) => `web-1    | ${NGINX_ERROR(time)}`],
    [
      'unreadable',
      (time) => `db-1     | ${new Date(time).toISOString()} [28] LOG:  checkpoint complete: wrote 4 buffers`,
    ],
  ],
};

/** The files in which Docker keeps what containers write. */
export const DOCKER: LogForm = {
  ...NGINX,
  lines: (request) => [[request.ended, dockerLine('stdout', request.ended, combinedLine(request, request.ended))]],
  others: [['unreadable', (time) => dockerLine('stderr', time, NGINX_ERROR(time))]],
};

function dockerLine(stream: string, time: number, log: string): string {
  return JSON.stringify({ log: `${log}\n`, stream, time: new Date(time).toISOString() });
}

/** Apache with HostnameLookups. */
export const HOST_NAMES: LogForm = {
  ...APACHE,
  nameOf: hostOf,
  lines: (request) => [[request.ended, combinedLine(request, request.arrived, hostOf(request.client))]],
};

function hostOf({ name }: TrueClient): string {
  return `dsl-${name.replaceAll('.', '-')}.pool.example.net`;
}

/** The last number of each address is hidden: clients of one network are one client, here two of them. */
export const MASKED: LogForm = {
  ...NGINX,
  nameOf: maskedOf,
  lines: (request) => [[request.ended, combinedLine(request, request.ended, maskedOf(request.client))]],
};

function maskedOf({ name }: TrueClient): string {
  const [, , third, fourth] = name.split('.').map(Number) as [number, number, number, number];
  const pair = (third * 256 + fourth - 1) >> 1;
  return `198.${18 + (pair >> 8)}.${pair & 255}.xxx`;
}

/** The `log_format` of nginx with exact times. */
export const EXACT_NGINX_FORMAT = '$msec $request_time $remote_addr "$request" $status "$http_user_agent"';
export const EXACT_NGINX: LogForm = {
  lines: (request) => {
    const { client, method, url, status, agent, arrived, ended } = request;
    const times = `${(ended / SECOND).toFixed(3)} ${((ended - arrived) / SECOND).toFixed(3)}`;
    return [[ended, `${times} ${client.name} "${method} ${url} HTTP/1.1" ${status} "${agent}"`]];
  },
  timeOf: ({ arrived }) => arrived,
  others: [['unreadable', NGINX_ERROR]],
};

/** An application load balancer of AWS, with the time of the request in one of its last columns. */
export const ALB: LogForm = {
  lines: (request) => {
    const { client, method, url, status, agent, arrived, ended, id } = request;
    const iso = (time: number) => `${new Date(time).toISOString().slice(0, -1)}000Z`;
    const took = ((ended - arrived) / SECOND).toFixed(3);
    return [
      [
        ended,
        `https ${iso(ended)} app/web/50dc6c49 ${client.name}:${1_024 + (id % 60_000)} 10.0.0.1:80 0.000 ${took} 0.000 ${status} ${status} 34 366 "${method} https://www.example.com:443${url} HTTP/1.1" "${agent}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/73e2 "Root=1-5833-${id}" "www.example.com" "arn:aws:acm:eu-west-1:123456789012:certificate/1" 1 ${iso(arrived)} "forward" "-" "-" "10.0.0.1:80" "${status}" "-" "-" TID_${id}`,
      ],
    ];
  },
  timeOf: ({ arrived }) => arrived,
  others: [['unreadable', () => 'https 2026-01-17T08:00:00.3500']],
};
