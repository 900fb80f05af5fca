/**
 * The names of FORMATS, as the help of `replay` lists them: those that most people have come first. They are in a file of their
 * own, because the help loads no format.
 */
export const FORMAT_NAMES = [
  'combined',
  'main',
  'common',
  'vhost-combined',
  'json',
  'alb',
  'elb',
  's3',
  'api-gateway',
  'api-gateway-clf',
  'envoy',
  'envoy-json',
  'istio',
  'haproxy',
  'haproxy-clf',
  'nginx-proxy-manager',
  'cloudfront',
  'cloudflare',
  'akamai',
  'azure',
  'gcp',
  'vercel',
  'heroku',
  'kong',
  'caddy',
  'traefik',
  'traefik-common',
  'express-winston',
  'iis',
  'ltsv',
  'squid',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];
