import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../scripts/root.mjs';
import { withServers } from '../server/with-server.js';
import { blockOf, guideLimits } from './guide-limits.js';

/** A message of Envoy's API: its fields, and the messages in them. An array has the message of its elements. */
type Message = Readonly<Record<string, unknown>>;

const ANY = '@type';
const value = undefined;

const ADDRESS = { socket_address: { address: value, port_value: value } };
const ACTION = {
  remote_address: {},
  request_headers: { header_name: value, descriptor_key: value, skip_if_absent: value },
  generic_key: { descriptor_value: value, descriptor_key: value },
};
const RATE_LIMIT = { stage: value, disable_key: value, actions: ACTION, limit: {} };

/** By their type, those that stand in a place for messages of any type. Of envoy/extensions and envoy/config in API v3. */
const TYPED: Readonly<Record<string, Message>> = {
  'envoy.extensions.filters.http.ratelimit.v3.RateLimit': {
    domain: value,
    stage: value,
    timeout: value,
    failure_mode_deny: value,
    rate_limit_service: {
      transport_api_version: value,
      grpc_service: {
        envoy_grpc: { cluster_name: value, authority: value },
        timeout: value,
        initial_metadata: { key: value, value },
      },
    },
  },
  'envoy.extensions.filters.http.router.v3.Router': {},
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager': {
    stat_prefix: value,
    use_remote_address: value,
    http_filters: { name: value, typed_config: ANY },
    route_config: {
      name: value,
      virtual_hosts: {
        name: value,
        domains: value,
        routes: { match: { prefix: value }, route: { cluster: value } },
        rate_limits: RATE_LIMIT,
      },
    },
  },
  'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
    explicit_http_config: { http2_protocol_options: {} },
  },
};

const BOOTSTRAP: Message = {
  static_resources: {
    listeners: {
      name: value,
      address: ADDRESS,
      filter_chains: { filters: { name: value, typed_config: ANY } },
    },
    clusters: {
      name: value,
      type: value,
      connect_timeout: value,
      typed_extension_protocol_options: { 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': ANY },
      health_checks: {
        timeout: value,
        interval: value,
        unhealthy_threshold: value,
        healthy_threshold: value,
        grpc_health_check: { service_name: value, authority: value },
      },
      load_assignment: {
        cluster_name: value,
        endpoints: { lb_endpoints: { endpoint: { address: ADDRESS } } },
      },
    },
  },
};

/** The fields of a configuration that its message does not have. */
function unknownIn(given: unknown, message: unknown, path: string): readonly string[] {
  if (Array.isArray(given)) return given.flatMap((each, at) => unknownIn(each, message, `${path}[${at}]`));
  if (typeof given !== 'object' || given === null) return message === value ? [] : [path];
  const { '@type': type, ...fields } = given as Readonly<Record<string, unknown>>;
  const known = message === ANY ? TYPED[String(type).replace('type.googleapis.com/', '')] : message;
  if (typeof known !== 'object' || known === null) return [`${path} (${String(type)})`];
  return Object.entries(fields).flatMap(([name, each]) =>
    name in known ? unknownIn(each, (known as Message)[name], `${path}.${name}`) : [`${path}.${name}`],
  );
}

interface Actions {
  readonly actions: readonly {
    readonly remote_address?: object;
    readonly request_headers?: {
      readonly header_name: string;
      readonly descriptor_key: string;
      readonly skip_if_absent?: boolean;
    };
  }[];
}

/** The descriptors that Envoy makes of a request. None of an entry whose header is absent, unless it is skipped. */
function descriptorsOf(limits: readonly Actions[], headers: Readonly<Record<string, string>>) {
  return limits.flatMap(({ actions }) => {
    const entries: Record<string, string> = {};
    for (const { remote_address: address, request_headers: header } of actions) {
      if (address !== undefined) entries['remote_address'] = '203.0.113.7';
      if (header === undefined) continue;
      const text = headers[header.header_name];
      if (text !== undefined) entries[header.descriptor_key] = text;
      else if (header.skip_if_absent !== true) return [];
    }
    return [entries];
  });
}

const file = readFileSync(join(root, 'examples', 'one-limit', 'envoy.yaml'), 'utf8');
const bootstrap = parse(file) as any; // eslint-disable-line -- Its shape is what the first test finds out.

describe('examples/one-limit/envoy.yaml', () => {
  const manager = bootstrap.static_resources.listeners[0].filter_chains[0].filters[0].typed_config;

  it('has the fields of the API of Envoy alone', () => {
    expect(unknownIn(bootstrap, BOOTSTRAP, '')).toEqual([]);
  });

  it('is what the guide shows in parts', () => {
    const [filters, routes, clusters] = ['http_filters:', 'route_config:', 'clusters:'].map(
      (text) => parse(blockOf('yaml', text)) as Record<string, unknown>,
    );

    expect(filters).toEqual({ http_filters: manager.http_filters });
    expect(routes).toEqual({ route_config: manager.route_config });
    expect(clusters).toEqual({ clusters: bootstrap.static_resources.clusters.slice(0, 1) });
  });

  it('names clusters that it has', () => {
    const names = bootstrap.static_resources.clusters.map(({ name }: { name: string }) => name) as string[];
    const [limit] = manager.http_filters;

    expect(names).toContain(limit.typed_config.rate_limit_service.grpc_service.envoy_grpc.cluster_name);
    expect(names).toContain(manager.route_config.virtual_hosts[0].routes[0].route.cluster);
  });

  describe('beside the file of policies of the guide', () => {
    const start = withServers();
    const { rate_limits: limits } = manager.route_config.virtual_hosts[0] as { rate_limits: readonly Actions[] };

    it.each<readonly [string, Record<string, string>, readonly [string, number][]]>([
      [
        'a tenant and a plan',
        { 'x-tenant': 'acme', 'x-plan': 'pro' },
        [
          ['ip-minute', 600],
          ['tenant-hour', 50_000],
        ],
      ],
      [
        'a tenant alone',
        { 'x-tenant': 'acme' },
        [
          ['ip-minute', 600],
          ['tenant-hour', 1_000],
        ],
      ],
      ['no header', {}, [['ip-minute', 600]]],
    ])('sends descriptors that rules take for a request with %s', async (_what, headers, expected) => {
      const { client } = await start(guideLimits());

      const reply = await client.check('api', ...descriptorsOf(limits, headers));

      expect(reply.overall_code).toBe('OK');
      expect(reply.statuses.map(({ current_limit: limit }) => [limit!.name, limit!.requests_per_unit])).toEqual(
        expected,
      );
    });
  });
});
